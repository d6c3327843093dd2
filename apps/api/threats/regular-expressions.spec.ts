import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import {
  AUTHORIZATION_SECRET,
  COOKIE_HEADER,
  MYSQL_PASSWORD,
  NAMED_SECRET,
  SECRET_OPTION,
  TERMINAL_SEQUENCES,
} from '@moorage/domain';

type Expression = readonly [where: string, source: string, flags: string];

/** Expressions that are built at run time, by file, because the scan only sees their parts. */
const CREATED: Readonly<Record<string, readonly Expression[]>> = {
  'apps/api/http/errors.filter.ts': [
    ['path of a call', '^/api/deployments/[^/]+/reopen/?$', ''],
    ['path of a call', '^/api/deployments/instance-types/[^/]+/[^/]+/?$', ''],
  ],
  'libs/contracts/runway.ts': [['decimal', '^\\d{1,4}(\\.\\d{1,6})?$', '']],
  'libs/domain/logs/log-line.ts': [['terminal sequences', TERMINAL_SEQUENCES.source, TERMINAL_SEQUENCES.flags]],
  'libs/domain/logs/masking.ts': [
    ['named secret', NAMED_SECRET.source, NAMED_SECRET.flags],
    ['option', SECRET_OPTION.source, SECRET_OPTION.flags],
    ['cookie', COOKIE_HEADER.source, COOKIE_HEADER.flags],
    ['password of MySQL', MYSQL_PASSWORD.source, MYSQL_PASSWORD.flags],
    ['authorization', AUTHORIZATION_SECRET.source, AUTHORIZATION_SECRET.flags],
  ],
};

/** Expressions slower than linear, and the reasons why this cannot be exploited. */
const BOUNDED: Readonly<Record<string, string>> = {
  'apps/api/settings.ts /\\/+$/': 'reads a setting of the operator',
  'apps/api/http/openapi.ts /[^A-Za-z0-9]+(\\w)/g': 'reads the names of our own calls, at the start',
};

interface Found {
  readonly count: number;
  readonly created: readonly string[];
  readonly slow: readonly { readonly name: string }[];
}

/** CPU time instead of elapsed time, because the machine may be busy. */
const CPU_S_MAX = 60;
/** Only a safeguard next to the CPU limit, because a busy machine may take many times as long. */
const WALL_MS_MAX = 300_000;

function attack(folders: readonly string[], more: readonly Expression[], cpuSeconds = CPU_S_MAX) {
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', `ulimit -t ${cpuSeconds}; exec "$0" apps/api/threats/attack-expressions.mjs`, process.execPath],
    { input: JSON.stringify({ folders, more }), encoding: 'utf8' },
  );
  const last = stderr.trim().split('\n').at(-1) ?? '';
  return status === 0 ? { found: JSON.parse(stdout) as Found, endless: null } : { found: null, endless: last };
}

/** S27: no regular expression on input takes more than linear time. */
describe('regular expressions', () => {
  it(
    'run in linear time in rules, shapes and the api',
    () => {
      const { found, endless } = attack(['libs/domain', 'libs/contracts', 'apps/api'], Object.values(CREATED).flat());
      expect(endless).toBeNull();
      expect([...new Set(found?.created)].sort()).toEqual(Object.keys(CREATED).sort());
      expect(found?.slow.map(({ name }) => name).filter((name) => BOUNDED[name] === undefined)).toEqual([]);
      expect(found?.count).toBeGreaterThan(60);
    },
    WALL_MS_MAX,
  );

  it(
    'are reported when quadratic or cubic, and not when linear',
    () => {
      const { found } = attack(
        [],
        [
          ['quadratic', '\\s+$', ''],
          ['quadratic', '^(.*),(.*)x$', ''],
          ['cubic', '^\\w+\\d+\\d+!$', ''],
          ['linear', '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$', ''],
        ],
      );
      expect(found?.slow.map(({ name }) => name.split(' ')[0])).toEqual(['quadratic', 'quadratic', 'cubic']);
    },
    WALL_MS_MAX,
  );

  it(
    'are reported when they never terminate',
    () => {
      expect(attack([], [['endless', '^([a-z]+)+$', '']], 3).endless).toBe('endless /^([a-z]+)+$/');
    },
    WALL_MS_MAX,
  );
});
