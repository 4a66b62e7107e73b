/** Tools of LangChain4j behind circuit breakers. */
@NullMarked
package dev.toolhealth.examples.langchain4j;

import org.jspecify.annotations.NullMarked;
