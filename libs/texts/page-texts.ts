import type { TestCard } from '@moorage/contracts';

/** Texts of the page in place of a simulated server. */
export interface SimulatedServerTexts {
  readonly title: string;
  readonly nothing_real: string;
  readonly here: string;
  readonly as_user: string;
  readonly as_owner: string;
  readonly unknown_title: string;
  readonly unknown: string;
  readonly away_title: string;
  readonly away: string;
  readonly link: string;
}

/** Texts of the test checkout. */
export interface TestCheckoutTexts extends Readonly<Record<TestCard, readonly [name: string, effect: string]>> {
  readonly title: string;
  readonly mode: string;
  readonly heading: string;
  readonly asks: string;
  readonly pay: string;
  readonly cancel: string;
  readonly keeps: string;
  readonly over: string;
  readonly back: string;
}
