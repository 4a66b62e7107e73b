/** Tests of every layer of scripts and of the text that describes a script. */
@NullMarked
package dev.toolhealth.tck.script;

import org.jspecify.annotations.NullMarked;
