/** Continues the test on a phone. */
export function onPhone(): void {
  answerMediaQueries((query) => query.includes('max-width: 767'));
}

/** Continues the test on a screen with room for a single column. */
export function onNarrowScreen(): void {
  answerMediaQueries(() => false);
}

/** The set-up restores the wide screen after each test. */
function answerMediaQueries(matches: (query: string) => boolean): void {
  const before = globalThis.matchMedia;
  globalThis.matchMedia = (query) => ({ ...before(query), matches: matches(query) });
}
