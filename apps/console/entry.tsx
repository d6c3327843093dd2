import '@fontsource-variable/hanken-grotesk/wght.css';
import type { PageData } from '@moorage/contracts';
import { createRoot, hydrateRoot } from 'react-dom/client';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/boxes.css';
import './ui/tags.css';
import { isPublicPath, plainPath } from './data/addresses';
import { loadConsoleSettings, showSettings } from './data/brand';
import { renderAt } from './data/navigation';
import { showPrices } from './data/public-prices';
import { currentSession, restoreSession } from './data/session';
import { showFirstLook } from './app/first-look';
import { loadConsole, loadScreens, Moorage } from './app/moorage';
import { addressOf, loadPublicPage } from './app/public-side';
import { pageLocale, showLocale } from './texts/locale';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
restoreSession();
const path = location.pathname;
renderAt(path + location.search);
const data = document.getElementById('page-data')?.textContent;
if (data != null) {
  const { settings, prices } = JSON.parse(data) as PageData;
  showSettings(settings);
  showPrices(prices);
}
await Promise.all([showLocale(pageLocale(), { persist: false }), loadConsoleSettings()]);
// The HTML stays until its page can be rendered. If it cannot be loaded, the render tries again and reports it.
if (isPublicPath(path)) await loadPublicPage(addressOf(path)).catch(() => undefined);
else if (currentSession() !== null && (await loadScreens()).isConsolePath(path)) {
  void showFirstLook();
  await loadConsole(path).catch(() => undefined);
}
if (root.dataset.rendered === plainPath(path)) hydrateRoot(root, <Moorage />);
else createRoot(root).render(<Moorage />);
