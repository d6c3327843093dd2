import type { ConsoleSettings } from '@moorage/contracts';
import { type Language, LANGUAGES } from '@moorage/domain';
import { LANGUAGE_TEXTS, translate } from '@moorage/texts';
import { renderToString } from 'react-dom/server';
import { DashboardSkeleton } from './app/dashboard-skeleton';
import { Moorage } from './app/moorage';
import { addressOf, loadPublicPage } from './app/public-side';
import { PUBLIC_SCREENS } from './app/public-screens';
import { renderWith } from './data/brand';
import { renderAt } from './data/navigation';
import { showPrices, USUAL_PRICES } from './data/public-prices';
import { SideSkeleton } from './parts/side-skeleton';
import { publicText, showLocale } from './texts/locale';

/** Placeholders for what only the server knows (`apps/api/console/console-pages.ts`). */
const PLACEHOLDERS: Pick<ConsoleSettings, 'brand' | 'links'> = {
  brand: { name: '%brand_name%', tagline: '%tagline%', support_email: '', intro_video_url: null },
  links: {
    terms: '%link:terms%',
    privacy: '%link:privacy%',
    imprint: '%link:imprint%',
    status: '%link:status%',
    docs: '%link:docs%',
    forum: '%link:forum%',
    changelog: '%link:changelog%',
  },
};

/** HTML of a page as the build renders it. */
interface RenderedPage {
  readonly language: Language;
  /** Path, or `*` for every address without a page of its own. */
  readonly path: string;
  /** Public pages are hydrated. The others are placeholders, which the console replaces. */
  readonly isPublic: boolean;
  readonly title: string;
  readonly description: string;
  readonly html: string;
}

/** Every public page, and the placeholders of the logged-in side, in every language. */
export const RENDERED_PAGES = await inEveryLanguage();

async function inEveryLanguage(): Promise<readonly RenderedPage[]> {
  renderWith(PLACEHOLDERS);
  showPrices(USUAL_PRICES);
  const pages: RenderedPage[] = [];
  for (const language of LANGUAGES) {
    await showLocale(language, { persist: false });
    pages.push(...(await pagesIn(language)));
  }
  return pages;
}

/** Renders the pages in the language that is shown. */
async function pagesIn(language: Language): Promise<readonly RenderedPage[]> {
  const { brand } = PLACEHOLDERS;
  // With the translation of the product's own tagline, in case the operator has no other.
  const description = `%tagline:${publicText('home.tagline')}%`;
  const page = (path: string, html: string, isPublic: boolean): RenderedPage => {
    // The heading names the page.
    const heading = /<h1[^>]*>([^<]+)<\/h1>/.exec(html)?.[1] ?? brand.name;
    const title = heading === brand.name ? brand.name : `${heading} · ${brand.name}`;
    return { language, path, isPublic, title, description, html: html.replace(brand.tagline, description) };
  };
  const pages: RenderedPage[] = [];
  for (const path of Object.keys(PUBLIC_SCREENS)) {
    await loadPublicPage(addressOf(path));
    renderAt(path);
    pages.push(page(path, renderToString(<Moorage />), true));
  }
  const { consoleTexts } = await LANGUAGE_TEXTS[language].loadConsole();
  const dashboard = <DashboardSkeleton title={translate(consoleTexts, 'deployments.title')} />;
  return [
    ...pages,
    page('/dashboard', renderToString(dashboard), false),
    page('*', renderToString(<SideSkeleton />), false),
  ];
}
