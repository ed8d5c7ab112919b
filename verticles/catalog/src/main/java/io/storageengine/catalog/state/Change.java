package io.storageengine.catalog.state;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.storageengine.core.message.ChannelHold;
import io.storageengine.core.message.Claim;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What an entry of the catalog log does to the state. The JSON forms are the log's format: fields are added,
/// never renamed or removed, and a new field or form means a new version (see [#since] and [EntryCodec]).
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Change.SpaceCreated.class, name = "space-created"),
    @JsonSubTypes.Type(value = Change.SpaceChanged.class, name = "space-changed"),
    @JsonSubTypes.Type(value = Change.SpaceDropped.class, name = "space-dropped"),
    @JsonSubTypes.Type(value = Change.TableCreated.class, name = "table-created"),
    @JsonSubTypes.Type(value = Change.TableCommitted.class, name = "table-committed"),
    @JsonSubTypes.Type(value = Change.TableRenamed.class, name = "table-renamed"),
    @JsonSubTypes.Type(value = Change.TableDropped.class, name = "table-dropped"),
    @JsonSubTypes.Type(value = Change.ReplyKept.class, name = "reply-kept"),
    @JsonSubTypes.Type(value = Change.ChannelHeld.class, name = "channel-held"),
    @JsonSubTypes.Type(value = Change.ViewCreated.class, name = "view-created"),
    @JsonSubTypes.Type(value = Change.ViewCommitted.class, name = "view-committed"),
    @JsonSubTypes.Type(value = Change.ViewRenamed.class, name = "view-renamed"),
    @JsonSubTypes.Type(value = Change.ViewDropped.class, name = "view-dropped")
})
public sealed interface Change {
    /// The first version of the log's format that has this form: an entry that holds it says that version, so
    /// that a program which would not understand it says so.
    default int since() {
        return 1;
    }

    /// A namespace is there.
    record SpaceCreated(String space, Map<String, String> properties) implements Change {
        public SpaceCreated {
            properties = Map.copyOf(properties);
        }
    }

    /// A namespace has other properties.
    record SpaceChanged(String space, List<String> removed, Map<String, String> set) implements Change {
        public SpaceChanged {
            removed = List.copyOf(removed);
            set = Map.copyOf(set);
        }
    }

    /// A namespace is gone.
    record SpaceDropped(String space) implements Change {}

    /// A table is there: created or registered.
    record TableCreated(TableName table, UUID uuid, String location) implements Change {}

    /// A table has another metadata file, and its marks and claims moved with it.
    ///
    /// @param uuid which table
    /// @param location of the metadata file; the same as before when only marks and claims move
    /// @param marks the logs whose marks move, and where to
    /// @param claims what was claimed
    record TableCommitted(UUID uuid, String location, Map<String, Long> marks, List<Claim> claims) implements Change {
        public TableCommitted {
            marks = Map.copyOf(marks);
            claims = List.copyOf(claims);
        }

        /// Whether it says which rows were taken.
        @JsonIgnore
        public boolean isIngestion() {
            return !marks.isEmpty() || !claims.isEmpty();
        }
    }

    /// A channel of a table has another holder.
    ///
    /// @param hold who holds it; none when it is retired
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ChannelHeld(UUID uuid, String channel, @Nullable ChannelHold hold) implements Change {
        @Override
        public int since() {
            return 4;
        }
    }

    /// A table has another name.
    record TableRenamed(UUID uuid, TableName to) implements Change {}

    /// A table is gone; its files are not touched.
    ///
    /// @param table its name, since version 3
    /// @param fate [#HANDED_OVER] or [#PURGED] when it must not come back here, since version 3
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TableDropped(
            UUID uuid, @Nullable TableName table, @Nullable String fate) implements Change {
        /// Another catalog takes the table over.
        static final String HANDED_OVER = "handed-over";
        /// Its files are deleted.
        static final String PURGED = "purged";

        /// Whether it is another catalog's now, or its files are deleted.
        @JsonIgnore
        public boolean isForGood() {
            return fate != null;
        }

        /// Whether its files are being deleted.
        @JsonIgnore
        boolean isPurged() {
            return PURGED.equals(fate);
        }

        /// Whether it may be restored.
        boolean mayComeBack() {
            return table != null && fate == null;
        }

        @Override
        public int since() {
            return table == null ? 1 : 3;
        }
    }

    /// What happens to views; since version 2.
    sealed interface OfView extends Change {
        @Override
        default int since() {
            return 2;
        }
    }

    /// A view is there: created or registered.
    record ViewCreated(TableName view, UUID uuid, String location) implements OfView {}

    /// A view has another metadata file.
    record ViewCommitted(UUID uuid, String location) implements OfView {}

    /// A view has another name.
    record ViewRenamed(UUID uuid, TableName to) implements OfView {}

    /// A view is gone; its files are not touched.
    ///
    /// @param view its name, since version 3
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ViewDropped(UUID uuid, @Nullable TableName view) implements OfView {
        @Override
        public int since() {
            return view == null ? 2 : 3;
        }
    }

    /// A request with a key was answered; in the entry of what it changed, when it changed anything.
    record ReplyKept(KeptReply reply) implements Change {
        @Override
        public int since() {
            return 2;
        }
    }
}
