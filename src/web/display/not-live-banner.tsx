import { texts } from '../text/text.ts';

/** Laid over the display whenever it cannot know that it is current. */
export function NotLiveBanner() {
  return (
    <div className="not-live" role="alert">
      <strong>{texts.of('live.lost')}</strong>
      <span>{texts.of('live.lost-line')}</span>
    </div>
  );
}
