import {
  type ConfigField,
  type Draft,
  ENV_VARIABLES,
  newWizard,
  type VpsValidation,
  type Wizard,
  WIZARD_STEPS,
  type WizardStep,
  wizardSteps,
} from '@moorage/domain';
import type { VpsCheckAnswer } from '@moorage/contracts';
import { randomKey } from '../../data/request-key';
import { isImpersonating } from '../../data/session';

/** The draft of one tab. It lasts until it is ordered or cancelled, and survives double clicks, reloads and Back. */
export interface StoredDraft<P> {
  /** Owner of the draft. Another account in the same tab starts a new one. */
  readonly owner: number;
  /** Start of the draft. The names in the order contain this time and therefore do not change. */
  readonly begunAt: number;
  readonly idempotencyKey: string;
  readonly wizard: Wizard<P>;
  readonly check: VpsCheckState | null;
  /** Secret fields that were filled in but not stored. */
  readonly forgotten: readonly ConfigField[];
  /** The draft existed when the page was opened. */
  readonly resumed: boolean;
}

/** Result of the last check of the customer's server. Never `asked`. */
export type VpsCheckState = Pick<VpsCheckAnswer, 'results' | 'host_key_sha256' | 'valid_until'>;

const KEY = 'draft';
const VERSION = 2;

const SECRET_FIELDS: readonly ConfigField[] = ENV_VARIABLES.filter(({ secret }) => secret).map(({ field }) => field);

export function newDraft<P>(owner: number, now: number): StoredDraft<P> {
  return {
    owner,
    begunAt: now,
    idempotencyKey: randomKey(),
    wizard: newWizard<P>(),
    check: null,
    forgotten: [],
    resumed: false,
  };
}

interface Stored {
  readonly version: number;
  readonly owner: number;
  readonly begunAt: number;
  readonly idempotencyKey: string;
  readonly step: WizardStep;
  readonly draft: Draft;
  /** Missing in drafts stored by earlier versions. */
  readonly suggestedSubdomain?: string | null;
  readonly vps: VpsValidation;
  readonly check: VpsCheckState | null;
  readonly forgotten: readonly ConfigField[];
}

/**
 * Stores this tab's draft without its secrets. Does nothing during impersonation, so the administrator's draft is kept.
 */
export function storeDraft<P>({ owner, begunAt, idempotencyKey, wizard, check, forgotten }: StoredDraft<P>): void {
  if (isImpersonating()) return;
  const typed = SECRET_FIELDS.filter((field) => (wizard.draft[field] ?? '') !== '');
  const stored: Stored = {
    version: VERSION,
    owner,
    begunAt,
    idempotencyKey,
    step: wizard.step,
    draft: { ...wizard.draft, ...Object.fromEntries(SECRET_FIELDS.map((field) => [field, null])) },
    suggestedSubdomain: wizard.suggestedSubdomain,
    vps: wizard.vps,
    check,
    forgotten: [...new Set([...forgotten, ...typed])],
  };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // If storage is disabled or full, the draft lasts as long as the page.
  }
}

export function forgetDraft(): void {
  if (isImpersonating()) return;
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Without storage there is no draft.
  }
}

/** Returns this tab's draft if it belongs to this account, otherwise a new one. */
export function openDraft<P>(owner: number, now: number): StoredDraft<P> {
  const stored = read();
  if (stored?.version !== VERSION || stored.owner !== owner) return newDraft(owner, now);
  const { begunAt, idempotencyKey, check, forgotten } = stored;
  const checked = stored.vps.state === 'success' && Date.parse(check?.valid_until ?? '') > now;
  const fresh = newWizard<P>();
  return {
    owner,
    begunAt,
    idempotencyKey,
    forgotten,
    check: checked ? check : null,
    resumed: stored.draft.package !== null,
    wizard: {
      step: stepToResume(stored),
      draft: { ...fresh.draft, ...stored.draft },
      vps: checked ? stored.vps : fresh.vps,
      pricing: null,
      suggestedSubdomain: stored.suggestedSubdomain ?? null,
    },
  };
}

/** Returns the step to resume at. If secrets must be entered again, it is not later than the configuration. */
function stepToResume({ step, draft, forgotten }: Stored): WizardStep {
  const steps = wizardSteps(draft);
  if (!steps.includes(step)) return 'package';
  const config = steps.indexOf('config');
  return forgotten.length > 0 && steps.indexOf(step) > config ? 'config' : step;
}

function read(): Stored | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Stored | null;
    const whole =
      stored !== null &&
      typeof stored.idempotencyKey === 'string' &&
      typeof stored.begunAt === 'number' &&
      typeof stored.draft === 'object' &&
      WIZARD_STEPS.includes(stored.step);
    return whole ? stored : null;
  } catch {
    return null;
  }
}
