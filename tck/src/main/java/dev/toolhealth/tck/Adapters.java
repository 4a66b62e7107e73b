package dev.toolhealth.tck;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Static methods for loading adapters by class name and describing their capabilities. */
public final class Adapters {
  private Adapters() {}

  /**
   * Returns the declared capabilities of an adapter.
   *
   * @param adapter the adapter
   * @return the capabilities, in the order of {@link Capability}
   * @throws IllegalArgumentException if the adapter returns null
   */
  public static Set<Capability> capabilities(Adapter adapter) {
    Set<Capability> capabilities = adapter.capabilities();
    if (capabilities == null) {
      throw new IllegalArgumentException(
          adapter.getClass().getName()
              + ".capabilities() returned null: return Set.of() if there are none");
    }
    Set<Capability> inOrder = EnumSet.noneOf(Capability.class);
    inOrder.addAll(capabilities);
    return inOrder;
  }

  /**
   * Formats capabilities for people.
   *
   * @param capabilities the capabilities
   * @return text such as {@code manual clock, lock free}; {@code nothing} if there are none
   */
  public static String words(Collection<Capability> capabilities) {
    return capabilities.isEmpty()
        ? "nothing"
        : capabilities.stream()
            .map(capability -> capability.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .collect(Collectors.joining(", "));
  }

  /**
   * Returns the locations of the entries of a class path.
   *
   * @param classpath jars and directories, separated as for {@code java -cp}; may be empty
   * @return the locations
   * @throws IllegalArgumentException if an entry does not exist; the message names the entry
   */
  public static URL[] locations(String classpath) {
    List<URL> locations = new ArrayList<>();
    for (String entry : classpath.split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        Path path = Path.of(entry);
        if (!Files.exists(path)) {
          throw new IllegalArgumentException("no such file or directory: " + path.toAbsolutePath());
        }
        try {
          locations.add(path.toUri().toURL());
        } catch (MalformedURLException e) {
          throw new IllegalArgumentException("not a usable entry: " + entry, e);
        }
      }
    }
    return locations.toArray(URL[]::new);
  }

  /**
   * Loads an adapter class and creates an instance.
   *
   * @param className the binary name of the class, such as {@code com.example.MyAdapter}
   * @param loader the loader to search
   * @return the adapter
   * @throws IllegalArgumentException if there is no such class, or if it cannot serve as an
   *     adapter; the message states the reason and the remedy
   */
  public static Adapter load(String className, ClassLoader loader) {
    try {
      Class<?> type = Class.forName(className, true, loader);
      if (!Adapter.class.isAssignableFrom(type)) {
        throw new IllegalArgumentException(
            className + " is not an adapter: it must implement " + Adapter.class.getName());
      }
      Constructor<?> constructor = type.getDeclaredConstructor();
      if (!Modifier.isPublic(type.getModifiers())
          || !Modifier.isPublic(constructor.getModifiers())
          || Modifier.isAbstract(type.getModifiers())) {
        throw new IllegalArgumentException(
            className
                + " cannot be created: make the class public and not abstract, and make its"
                + " constructor without parameters public");
      }
      return (Adapter) constructor.newInstance();
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "no class " + className + " on the class path (write a nested class as Outer$Nested)", e);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(
          className + " cannot be created: it needs a public constructor without parameters", e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          className + " cannot be created: its constructor threw " + e.getCause(), e);
    } catch (InstantiationException | IllegalAccessException | LinkageError e) {
      throw new IllegalArgumentException(className + " cannot be created: " + e, e);
    }
  }
}
