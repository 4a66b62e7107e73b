package dev.toolhealth.tck.run;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Finds a subject's classes where the user says before it looks into the kit's own archive, which
 * holds the reference implementation and libraries: else a changed copy of one of those would be
 * passed over in silence, and the bundled one judged in its place.
 */
final class SubjectLoader extends URLClassLoader {
  private static final String KIT = "dev.toolhealth.tck.";
  private static final String REFERENCE = KIT + "reference.";

  SubjectLoader(URL... classpath) {
    // The reference adapter comes last and from here, so that it finds a changed reference.
    super(
        Stream.concat(Arrays.stream(classpath), Stream.of(ownArchive())).toArray(URL[]::new),
        SubjectLoader.class.getClassLoader());
  }

  private static URL ownArchive() {
    return SubjectLoader.class.getProtectionDomain().getCodeSource().getLocation();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    // What kit and subject speak of must be the same classes to both.
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
