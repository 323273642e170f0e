/** Bounds of the feed; every one has a unit in its name. */
export interface FeedLimits {
  /** Between two heartbeats; they also carry the pings. At most 10,000 (a proxy cuts at 60 s, failures.md NET-01 asks for 25 s). */
  readonly heartbeatMs: number;
  /** How long a new listener may take for its first message before it gets the snapshot unasked. */
  readonly firstMessageMsMax: number;
  /** Missed records that are sent one by one; a listener that missed more gets a snapshot. */
  readonly replayRecordsMax: number;
  /** Bytes that may wait for one listener. */
  readonly bufferedBytesMax: number;
  /** How long a listener may leave bytes waiting without ever taking them all. */
  readonly stallMsMax: number;
  /** How long a ping may stay without its pong. */
  readonly pongMsMax: number;
  /** Between the close frame and cutting the connection. */
  readonly closeMsMax: number;
  readonly listenersMax: number;
  /** Largest frame that a listener may send; a resume request has about 60 bytes. */
  readonly receivedBytesMax: number;
}

/** The heartbeat is half of the design's 10 s, so that a display knows within 10 s that it is not live. A snapshot has 20 kB at most, a record
 *  with its table 3 kB: 1 MB is about 50 rounds of delay. 2,000 listeners are twice the design's 1,000 displays. */
export const defaultFeedLimits: FeedLimits = {
  heartbeatMs: 5_000,
  firstMessageMsMax: 500,
  replayRecordsMax: 500,
  bufferedBytesMax: 1_000_000,
  stallMsMax: 30_000,
  pongMsMax: 15_000,
  closeMsMax: 1_000,
  listenersMax: 2_000,
  receivedBytesMax: 4_096,
};
