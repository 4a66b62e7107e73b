package dev.toolhealth.tck.run;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * A class loader that searches the user's class path before the kit's own archive. The archive
 * bundles the reference implementation and libraries. In the usual order, the kit would silently
 * judge the bundled copy instead of the user's changed one.
 */
final class SubjectLoader extends URLClassLoader {
  private static final String KIT = "dev.toolhealth.tck.";
  private static final String REFERENCE = KIT + "reference.";

  SubjectLoader(URL... classpath) {
    // This loader also defines the reference adapter, so a changed reference is used.
    super(
        Stream.concat(Arrays.stream(classpath), Stream.of(ownArchive())).toArray(URL[]::new),
        SubjectLoader.class.getClassLoader());
  }

  private static URL ownArchive() {
    return SubjectLoader.class.getProtectionDomain().getCodeSource().getLocation();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    // The kit and the subject must share these classes.
    if (name.startsWith(KIT) && !name.startsWith(REFERENCE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try {
        return findClass(name);
      } catch (ClassNotFoundException e) {
        return super.loadClass(name, resolve);
      }
    }
  }
}
