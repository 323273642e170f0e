import '@fontsource-variable/sofia-sans-condensed/wght.css';
import './base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DisplayPage } from './display/display-page.tsx';
import { FeedConnection } from './feed/feed-connection.ts';

const place = document.getElementById('page');
if (place !== null) {
  const connection = new FeedConnection(window.location);
  connection.open();
  createRoot(place).render(
    <StrictMode>
      <DisplayPage connection={connection} />
    </StrictMode>,
  );
}
