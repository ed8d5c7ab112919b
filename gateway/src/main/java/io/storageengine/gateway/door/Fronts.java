package io.storageengine.gateway.door;

/// Who takes which requests.
///
/// @param ops health and metrics
/// @param catalog `/catalogs…`
/// @param events `/catalogs/{id}/events`
/// @param rows rows for a table
/// @param channels channels of a table
/// @param committed whether rows are in a snapshot
/// @param parked rows that no table could take
/// @param tokens `/cluster/tokens…`
/// @param storage S3
public record Fronts(
        Front<Route> ops,
        Front<Route.Catalog> catalog,
        Front<Route.Events> events,
        Front<Route.Rows> rows,
        Front<Route.Channel> channels,
        Front<Route.Committed> committed,
        Front<Route.Parked> parked,
        Front<Route.Tokens> tokens,
        Front<Route.Storage> storage) {}
