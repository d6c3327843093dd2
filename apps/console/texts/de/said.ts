import {
  CONSOLE_SENTENCES,
  DEPLOYMENT_STATUSES,
  ENV_NAMES,
  envLabel,
  PUBLIC_SENTENCES,
  statusLabel,
} from '@moorage/domain';
import { createSpeaker } from '../speaker';
import { layoutTexts } from './layout';
import { wholeField } from './said-public';
import { consoleSentences } from './sentences';
import { publicSentences } from './sentences-public';
import { wizardTexts } from './wizard';

const LABELS = new Map<string, string>(ENV_NAMES.map((name) => [envLabel(name), wizardTexts.env[name]]));
const STATUSES = new Map<string, string>([
  ...DEPLOYMENT_STATUSES.map((status) => [statusLabel(status, null), layoutTexts.status[status]] as const),
  [statusLabel('DESTROYED', true), layoutTexts.status.disabled],
]);

const label = (word: string): string => LABELS.get(word) ?? word;

export const sayAll = createSpeaker({
  tables: { ...PUBLIC_SENTENCES, ...CONSOLE_SENTENCES },
  texts: { ...publicSentences, ...consoleSentences },
  facts: { field: wholeField, label, other: label, status: (word) => STATUSES.get(word) ?? word },
});
