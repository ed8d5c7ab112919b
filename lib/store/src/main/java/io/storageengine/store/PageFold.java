package io.storageengine.store;

import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Folds keys that come in order into one page of a listing. All keys here are raw ([Keys]).
public final class PageFold {
    private static final String NO_BYTE = "\u00ff";
    private static final String GREATEST = Character.toString(Character.MAX_CODE_POINT);
    private final String prefix;
    private final String delimiter;
    private final int max;
    private final List<ObjectInfo> objects = new ArrayList<>();
    private final List<String> commonPrefixes = new ArrayList<>();
    private String start;
    private String last = "";
    private boolean cut;

    public PageFold(ListRequest request) {
        this.prefix = Keys.raw(request.prefix());
        this.delimiter = Keys.raw(request.delimiter());
        this.max = request.max();
        String after = Keys.raw(request.after());
        String start = after.isEmpty() ? "" : past(after);
        this.start = start.compareTo(prefix) > 0 ? start : prefix;
    }

    /// The smallest key that may come next; moves on with every key added.
    public String start() {
        return start;
    }

    /// How many more keys the page may want to see before it is known to be complete.
    public int wants() {
        return max - size() + 1;
    }

    /// False when no key that begins with `head` can be wanted any more.
    public boolean mayHold(String head) {
        if (cut || !(head.startsWith(prefix) || prefix.startsWith(head))) return false;
        return head.compareTo(start) >= 0 || (start.startsWith(head) && !start.equals(head + NO_BYTE));
    }

    /// True when all keys that begin with `head` fold into one common prefix.
    public boolean folds(String head) {
        return !common(head).isEmpty();
    }

    /// Adds a key, folds it, or leaves it out.
    ///
    /// @param info asked only when the key itself belongs on the page; empty when the object is gone
    /// @return false once the page is full and more keys are known
    public boolean add(String key, Supplier<Optional<ObjectInfo>> info) {
        if (cut || key.compareTo(start) < 0 || !key.startsWith(prefix)) return !cut;
        if (size() == max) {
            cut = true;
            return false;
        }
        String common = common(key);
        if (!common.isEmpty()) {
            commonPrefixes.add(Keys.text(common));
            moveTo(common);
            return true;
        }
        info.get().ifPresent(present -> {
            objects.add(present);
            last = key;
        });
        start = past(key);
        return true;
    }

    /// The greatest key that is certainly not wanted any more, as a text; empty when there is none. Beyond a common
    /// prefix that is the prefix with the greatest character of Unicode.
    public String startAfter() {
        if (start.endsWith(NO_BYTE)) return Keys.text(start.substring(0, start.length() - 1)) + GREATEST;
        if (start.endsWith("\0")) return Keys.text(start.substring(0, start.length() - 1));
        return "";
    }

    /// Leaves out a key and all before it.
    public void skipPast(String key) {
        String past = past(key);
        if (past.compareTo(start) > 0) start = past;
    }

    /// How many more items the page takes.
    public int free() {
        return max - size();
    }

    /// Ends the page here: it is full, and the caller knows that there are more keys.
    public void cut() {
        cut = true;
    }

    private void moveTo(String common) {
        last = common;
        start = common + NO_BYTE;
    }

    public ListPage page() {
        return new ListPage(objects, commonPrefixes, cut ? Keys.text(last) : "");
    }

    private int size() {
        return objects.size() + commonPrefixes.size();
    }

    private String past(String key) {
        String common = common(key);
        return common.isEmpty() ? key + '\0' : common + NO_BYTE;
    }

    private String common(String key) {
        if (delimiter.isEmpty() || !key.startsWith(prefix)) return "";
        int at = key.indexOf(delimiter, prefix.length());
        return at < 0 ? "" : key.substring(0, at + delimiter.length());
    }
}
