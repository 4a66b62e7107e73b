/** Meters of an agent's tools in the conventions of Micrometer. */
package dev.toolhealth.examples.micrometer;
