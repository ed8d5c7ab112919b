/// Native catalogs: appends that lost a race to other appends only, put on the table's head by the server.
@NullMarked
package io.storageengine.catalog.rebase;

import org.jspecify.annotations.NullMarked;
