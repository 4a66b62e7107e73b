/** Tools of MCP servers behind circuit breakers. */
@NullMarked
package dev.toolhealth.examples.mcp;

import org.jspecify.annotations.NullMarked;
