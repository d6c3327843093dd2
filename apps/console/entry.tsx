import '@fontsource-variable/hanken-grotesk/wght.css';
import { createRoot } from 'react-dom/client';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/boxes.css';
import './ui/tags.css';
import { loadConsoleSettings } from './data/brand';
import { restoreSession } from './data/session';
import { Moorage } from './app/moorage';
import { preferredLocale, showLocale } from './texts/locale';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
restoreSession();
// Load the product name and the language before the first paint, so that the layout does not shift.
await Promise.all([showLocale(preferredLocale(), { persist: false }), loadConsoleSettings()]);
createRoot(root).render(<Moorage />);
