import type { SuiteCall } from '../cloud.suite';

/** What of the suite a list of servers with this tag is, at a provider of flat tags. */
export function callOfTag(tag = ''): SuiteCall | null {
  if (tag.startsWith('moorage-dep-')) return 'find';
  return tag.startsWith('moorage-i-') ? 'list' : null;
}
