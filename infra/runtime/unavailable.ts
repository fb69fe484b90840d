/** A server that the service depends on could not be reached. The same work may succeed later. */
export class Unavailable extends Error {}
