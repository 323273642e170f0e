import { useEffect, useState } from 'react';

/** Milliseconds until `endsAtMs` of the page's monotonic clock, renewed ten times a second; null when nothing counts down. */
export function useMsLeft(endsAtMs: number | null): number | null {
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    if (endsAtMs === null) return;
    setNowMs(performance.now());
    const tick = setInterval(() => setNowMs(performance.now()), 100);
    return () => clearInterval(tick);
  }, [endsAtMs]);
  return endsAtMs === null ? null : Math.max(0, endsAtMs - nowMs);
}
