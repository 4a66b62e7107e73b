/** Tools of a Spring AI chat client, behind their gates. */
package dev.toolhealth.examples.springai;
