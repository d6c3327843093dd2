import type { ConsoleSettings } from '@moorage/contracts';
import { backupModes, BRAND_TEXTS } from '@moorage/domain';
import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from 'zustand';
import { api, sendClientKey } from './api';

const DEFAULTS: ConsoleSettings = {
  brand: {
    name: 'Moorage',
    tagline: BRAND_TEXTS.tagline,
    support_email: '',
    intro_video_url: null,
  },
  links: { terms: null, privacy: null, imprint: null, status: null, docs: null, forum: null, changelog: null },
  mode: 'demo',
  payments: 'test',
  mails: 'sent',
  clouds: 'sandbox',
  // No backups are promised before the settings have loaded.
  backups: backupModes(() => 'off'),
  sandbox_domain: null,
  platform_domain: null,
  // The root zone. Until the settings have loaded, only the API decides which names can be ordered.
  allowed_zones: [''],
  // Until the settings have loaded, only the API decides which addresses are accepted.
  private_servers: true,
  checkout_max: 1_000,
  grace_period_minutes: 60,
  delete_undo_hours: 0,
  has_queue_board: false,
  client_key: null,
};

const current = createStore<ConsoleSettings>(() => DEFAULTS);
/** Settings with which the HTML was rendered: the defaults with the name and the pages of the operator. */
let rendered = DEFAULTS;
let requested: Promise<ConsoleSettings> | undefined;

/** Returns the name and settings of this installation. Loaded once per page, with defaults until then. */
export function useConsoleSettings(): ConsoleSettings {
  useEffect(() => void loadConsoleSettings(), []);
  return useSyncExternalStore(current.subscribe, current.getState, () => rendered);
}

/** Returns the settings from the server, or null until they have loaded. */
export function useArrivedSettings(): ConsoleSettings | null {
  const settings = useConsoleSettings();
  return settings === rendered ? null : settings;
}

export function useBrand(): ConsoleSettings['brand'] {
  return useConsoleSettings().brand;
}

/** Returns the pages of the operator outside the console. */
export function useOperatorLinks(): ConsoleSettings['links'] {
  return useConsoleSettings().links;
}

/** Loads the settings and never rejects. After a failure the defaults stay, and the next call tries again. */
export function loadConsoleSettings(): Promise<ConsoleSettings> {
  requested ??= api('GET /console/settings').then(
    (answer) => {
      receive(answer);
      return answer;
    },
    () => {
      requested = undefined;
      return current.getState();
    },
  );
  return requested;
}

/** Sets what the HTML of a page contains of the settings. Hydration starts with the same. */
export function renderWith({ brand: { name, tagline }, links }: Pick<ConsoleSettings, 'brand' | 'links'>): void {
  rendered = { ...DEFAULTS, brand: { ...DEFAULTS.brand, name, tagline }, links };
}

/** Shows settings that came with the page, as if they had been loaded. */
export function showSettings(settings: ConsoleSettings): void {
  renderWith(settings);
  receive(settings);
  requested = Promise.resolve(settings);
}

function receive(settings: ConsoleSettings): void {
  if (settings.client_key !== null) sendClientKey(settings.client_key);
  current.setState(settings, true);
}
