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

/** Finds adapters by the names of their classes. */
public final class Adapters {
  private Adapters() {}

  /**
   * Asks an adapter what it declares.
   *
   * @param adapter the adapter
   * @return the capabilities, in order
   * @throws IllegalArgumentException if it declares nothing at all
   */
  public static Set<Capability> capabilities(Adapter adapter) {
    Set<Capability> capabilities = adapter.capabilities();
    if (capabilities == null) {
      throw new IllegalArgumentException(
          adapter.getClass().getName() + ".capabilities() is null: return Set.of() for none");
    }
    Set<Capability> inOrder = EnumSet.noneOf(Capability.class);
    inOrder.addAll(capabilities);
    return inOrder;
  }

  /**
   * Writes capabilities for people.
   *
   * @param capabilities the capabilities
   * @return such as {@code manual clock, lock free}; {@code nothing} for none
   */
  public static String words(Collection<Capability> capabilities) {
    return capabilities.isEmpty()
        ? "nothing"
        : capabilities.stream()
            .map(capability -> capability.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .collect(Collectors.joining(", "));
  }

  /**
   * Says where the classes of a class path are.
   *
   * @param classpath jars and directories, separated as for {@code java -cp}; nothing for none
   * @return their locations
   * @throws IllegalArgumentException if one of them is not there; the message names it
   */
  public static URL[] locations(String classpath) {
    List<URL> locations = new ArrayList<>();
    for (String entry : classpath.split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        Path path = Path.of(entry);
        if (!Files.exists(path)) {
          throw new IllegalArgumentException("there is no " + path.toAbsolutePath());
        }
        try {
          locations.add(path.toUri().toURL());
        } catch (MalformedURLException e) {
          throw new IllegalArgumentException("classes cannot be found in " + entry, e);
        }
      }
    }
    return locations.toArray(URL[]::new);
  }

  /**
   * Loads a class and makes an adapter of it.
   *
   * @param className the class's binary name, such as {@code com.example.MyAdapter}
   * @param loader where to look for it
   * @return the adapter
   * @throws IllegalArgumentException if there is no such class or it cannot serve as an adapter;
   *     the message says why, and what to do
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
                + " cannot be created: make the class public, not abstract, and its"
                + " constructor without parameters public");
      }
      return (Adapter) constructor.newInstance();
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "no class " + className + " on the class path (a nested class is named Outer$Nested)", e);
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
