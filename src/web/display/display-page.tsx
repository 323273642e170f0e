import { useEffect, useState, useSyncExternalStore } from 'react';
import type { TableView } from '../../api/views.ts';
import type { FeedConnection } from '../feed/feed-connection.ts';
import { Felt } from '../felt/felt.tsx';
import { texts } from '../text/text.ts';
import { DisplayHeader } from './display-header.tsx';
import { NotLiveBanner } from './not-live-banner.tsx';
import { Road } from './road.tsx';
import { litZones, sceneOf } from './scene.ts';
import { Stage } from './stage.tsx';
import './display.css';

/** Time a closed table without a countdown keeps its last result large, ms. */
const idleAfterMs = 60_000;

/** The screen at the table: phase, countdown, dice, felt and the last rounds, all from the feed. */
export function DisplayPage({ connection }: { readonly connection: FeedConnection }) {
  const { model, house, isLive } = useSyncExternalStore(connection.subscribe, connection.view);
  const isIdle = useIdle(model.table);
  const { table } = model;
  if (table === null || house === null) {
    return (
      <main className="connecting" data-live="false">
        <p>{texts.of('live.connecting')}</p>
      </main>
    );
  }
  const scene = sceneOf(table, isIdle);
  return (
    <main
      className={`display scene-${scene} ${isLive ? '' : 'is-stale'}`}
      data-phase={table.phase}
      data-live={isLive}
      data-seq={model.seq}
    >
      <DisplayHeader table={table} house={house} isLive={isLive} />
      <Stage
        table={table}
        scene={scene}
        countdown={isLive ? model.countdown : null}
        lastRow={model.history[0] ?? null}
        house={house}
      />
      <Felt house={house} lit={litZones(table)} dice={table.round?.result?.dice ?? []} scene={scene} />
      <Road history={model.history} />
      {isLive ? null : <NotLiveBanner />}
    </main>
  );
}

/** True once the table has been closed for `idleAfterMs` by this page's clock without counting down to a next round. */
function useIdle(table: TableView | null): boolean {
  const isResting = table?.phase === 'closed' && table.countdown === null;
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    setIsIdle(false);
    if (!isResting) return;
    const timer = setTimeout(() => setIsIdle(true), idleAfterMs);
    return () => clearTimeout(timer);
  }, [isResting]);
  return isIdle;
}
