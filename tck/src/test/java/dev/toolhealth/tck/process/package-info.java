/** Tests of the process adapter, mostly with processes that violate the protocol. */
@NullMarked
package dev.toolhealth.tck.process;

import org.jspecify.annotations.NullMarked;
