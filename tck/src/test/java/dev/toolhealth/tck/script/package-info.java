/** Tests of the layers of scripts, each by itself. */
@NullMarked
package dev.toolhealth.tck.script;

import org.jspecify.annotations.NullMarked;
