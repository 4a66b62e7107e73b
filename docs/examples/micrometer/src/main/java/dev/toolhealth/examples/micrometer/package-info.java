/** Micrometer meters for the health of tools. */
package dev.toolhealth.examples.micrometer;
