package dev.toolhealth.jmh;

import java.lang.reflect.Method;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * An executor that makes JMH run the benchmarks in virtual threads, from JDK 21 on:
 *
 * <pre>{@code
 * -jvmArgsAppend "-Djmh.executor=CUSTOM -Djmh.executor.class=dev.toolhealth.jmh.VirtualThreads"
 * }</pre>
 */
public final class VirtualThreads extends ThreadPoolExecutor {
  /** The JVM options that make JMH use this class. */
  static final String[] OPTIONS = {
    "-Djmh.executor=CUSTOM", "-Djmh.executor.class=" + VirtualThreads.class.getName()
  };

  /**
   * Creates the pool. JMH calls this constructor.
   *
   * @param threads the number of threads
   * @param prefix the prefix for thread names, which is not used
   * @throws ReflectiveOperationException if this JDK has no virtual threads
   */
  public VirtualThreads(int threads, String prefix) throws ReflectiveOperationException {
    super(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory());
  }

  static boolean exist() {
    return Runtime.version().feature() >= 21;
  }

  // Reflection, because the code is compiled for JDK 17.
  private static ThreadFactory factory() throws ReflectiveOperationException {
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    Method factory = Class.forName("java.lang.Thread$Builder").getMethod("factory");
    return (ThreadFactory) factory.invoke(builder);
  }
}
