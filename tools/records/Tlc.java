import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Runs TLC on many specifications in one process. TLC keeps static state, so each run has its own class loader; the
 * bytes of classes are read once. The argument is TLC's class path; a line of standard input is a folder with Case.tla
 * and Case.cfg, in which out.txt receives what TLC printed.
 */
public class Tlc {
    private static final Map<String, byte[]> BYTES = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws Exception {
        String[] parts = arguments[0].split(File.pathSeparator);
        URL[] path = new URL[parts.length];
        for (int i = 0; i < parts.length; i++) {
            path[i] = new File(parts[i]).toURI().toURL();
        }
        PrintStream out = System.out;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String folder; (folder = in.readLine()) != null; ) {
            String text = run(path, folder);
            Files.writeString(Path.of(folder, "out.txt"), text);
            out.println(folder);
            out.flush();
        }
        System.exit(0);
    }

    private static String run(URL[] path, String folder) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        PrintStream out = System.out;
        PrintStream err = System.err;
        System.setOut(printed);
        System.setErr(printed);
        try (Fresh loader = new Fresh(path)) {
            Thread.currentThread().setContextClassLoader(loader);
            process(loader, folder);
        } catch (InvocationTargetException failure) {
            failure.getCause().printStackTrace(printed);
        } finally {
            System.setOut(out);
            System.setErr(err);
            forget();
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void process(Fresh loader, String folder) throws Exception {
        Class<?> type = loader.loadClass("tlc2.TLC");
        Object tlc = type.getConstructor().newInstance();
        String[] options = {
            "-tool", "-continue", "-workers", "1", "-noGenerateSpecTE", "-metadir", folder + "/states",
            "-config", folder + "/Case.cfg", folder + "/Case.tla"
        };
        if ((Boolean) type.getMethod("handleParameters", String[].class).invoke(tlc, (Object) options)) {
            Object files = loader.loadClass("util.SimpleFilenameToStream").getConstructor(String.class).newInstance(folder);
            type.getMethod("setResolver", loader.loadClass("util.FilenameToStream")).invoke(tlc, files);
            type.getMethod("process").invoke(tlc);
        }
    }

    /** Removes the beans that TLC leaves behind, which would keep its classes. */
    private static void forget() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        for (ObjectName name : server.queryNames(new ObjectName("tlc2*:*"), null)) {
            server.unregisterMBean(name);
        }
    }

    private static final class Fresh extends URLClassLoader {
        Fresh(URL[] path) {
            super(path, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] code = BYTES.get(name);
            if (code == null) {
                try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                    if (in == null) {
                        throw new ClassNotFoundException(name);
                    }
                    code = in.readAllBytes();
                } catch (IOException failure) {
                    throw new ClassNotFoundException(name, failure);
                }
                BYTES.put(name, code);
            }
            return defineClass(name, code, 0, code.length, new CodeSource(getURLs()[0], (Certificate[]) null));
        }
    }
}
