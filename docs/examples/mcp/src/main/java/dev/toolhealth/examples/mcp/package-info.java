/** Tools of MCP servers, called through their gates. */
@NullMarked
package dev.toolhealth.examples.mcp;

import org.jspecify.annotations.NullMarked;
