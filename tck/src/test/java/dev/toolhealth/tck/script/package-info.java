/** Tests of the layers of scripts, each by itself, and of what scripts are told as. */
@NullMarked
package dev.toolhealth.tck.script;

import org.jspecify.annotations.NullMarked;
