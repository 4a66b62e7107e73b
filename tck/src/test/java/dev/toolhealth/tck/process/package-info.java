/** Processes that do not keep to the protocol, and what the kit says of them. */
@NullMarked
package dev.toolhealth.tck.process;

import org.jspecify.annotations.NullMarked;
