import type { SuiteCall } from '../../suites/cloud.suite';

/** Returns the suite's call for a list of servers with this tag, at a provider with flat tags. */
export function callOfTag(tag = ''): SuiteCall | null {
  if (tag.startsWith('moorage-dep-')) return 'find';
  return tag.startsWith('moorage-i-') ? 'list' : null;
}
