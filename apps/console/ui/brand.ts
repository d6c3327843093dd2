import type { ConsoleSettings } from '@moorage/contracts';
import { backupModes, BRAND_TEXTS } from '@moorage/domain';
import { useSyncExternalStore } from 'react';
import { api, sendClientKey } from '../data/api';

const DEFAULTS: ConsoleSettings = {
  brand: {
    name: 'Moorage',
    tagline: BRAND_TEXTS.tagline,
    support_email: '',
    intro_video_url: null,
  },
  mode: 'demo',
  payments: 'test',
  mails: 'sent',
  clouds: 'sandbox',
  // nothing is promised before the answer is there
  backups: backupModes(() => 'off'),
  sandbox_domain: null,
  // the root: until the answer is there, only the api decides which names may be ordered
  allowed_zones: [''],
  checkout_max: 1_000,
  grace_period_minutes: 60,
  has_queue_board: false,
  client_key: null,
};

let settings = DEFAULTS;
let asked: Promise<ConsoleSettings> | undefined;
const listeners = new Set<() => void>();

/** What this installation is called and how it runs; asked once per page load, the defaults stand until the answer. */
export function useConsoleSettings(): ConsoleSettings {
  return useSyncExternalStore(subscribe, () => settings);
}

/** Returns the settings from the server, or null until they have loaded. */
export function useArrivedSettings(): ConsoleSettings | null {
  const current = useConsoleSettings();
  return current === DEFAULTS ? null : current;
}

// one function for good: a new one with every render would, after a failure, ask with every render
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  void loadConsoleSettings();
  return () => listeners.delete(listener);
}

export function useBrand(): ConsoleSettings['brand'] {
  return useConsoleSettings().brand;
}

/** Never rejects: without an answer the defaults stand, and the next asker tries again. */
export function loadConsoleSettings(): Promise<ConsoleSettings> {
  asked ??= api('GET /console/settings').then(
    (answer) => {
      settings = answer;
      if (answer.client_key !== null) sendClientKey(answer.client_key);
      for (const listener of listeners) listener();
      return settings;
    },
    () => {
      asked = undefined;
      return settings;
    },
  );
  return asked;
}
