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
import { randomKey } from '../data/request-key';
import { isViewing } from '../data/session';

/** One draft in one tab: made when it begins, ended by the order or by Cancel. Two clicks, a reload and Back find the same one. */
export interface KeptDraft<P> {
  /** Whose it is: another account in the same tab begins anew. */
  readonly owner: number;
  /** When it began: the names of the order carry the time, and so stay the same. */
  readonly begunAt: number;
  readonly idempotencyKey: string;
  readonly wizard: Wizard<P>;
  readonly check: VpsCheckState | null;
  /** Secrets that were typed and not kept. */
  readonly forgotten: readonly ConfigField[];
  /** It was here when the page was opened. */
  readonly resumed: boolean;
}

/** What the last check of the own server found; `asked` never gets here. */
export type VpsCheckState = Pick<VpsCheckAnswer, 'results' | 'host_key_sha256' | 'valid_until'>;

const KEY = 'draft';
const VERSION = 2;

export const SECRET_FIELDS: readonly ConfigField[] = ENV_VARIABLES.filter(({ secret }) => secret).map(
  ({ field }) => field,
);

export function newDraft<P>(owner: number, now: number): KeptDraft<P> {
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
  /** Absent in drafts that were kept before it was. */
  readonly suggestedSubdomain?: string | null;
  readonly vps: VpsValidation;
  readonly check: VpsCheckState | null;
  readonly forgotten: readonly ConfigField[];
}

/** The draft of this tab without its secrets. A view leaves the administrator's as it is. */
export function keepDraft<P>({ owner, begunAt, idempotencyKey, wizard, check, forgotten }: KeptDraft<P>): void {
  if (isViewing()) return;
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
    // storage is switched off or full: the draft lasts as long as the page
  }
}

export function forgetDraft(): void {
  if (isViewing()) return;
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // there is none then
  }
}

/** The draft of this tab if it is this account's, else a new one. */
export function openDraft<P>(owner: number, now: number): KeptDraft<P> {
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

/** Not behind the fields that have to be typed again. */
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
