import { providerName } from '../catalogue/providers';
import type { Message } from '../messages/message';
import { ENDED_INCIDENT_MESSAGES, INCIDENT_MESSAGES, REMEDY_MESSAGES } from '../messages/incidents';
import type { Incident } from './incidents';
import { KEPT, SWITCHED_OFF_BY } from './findings';

type Described = Pick<Incident, 'kind' | 'facts'>;

/** Returns the description of an incident in a sentence. It is in the past tense once the incident has ended. */
export function incidentMessage({ kind, facts, ended_at }: Described & { readonly ended_at: unknown }): Message {
  const messages = ended_at === null ? INCIDENT_MESSAGES : ENDED_INCIDENT_MESSAGES;
  const { host = '', days = 0, percent = 0, container = '', seconds = 0 } = facts;
  const provider = providerName(String(facts.provider ?? ''));
  switch (kind) {
    case 'server_gone':
      return messages.server_gone({ provider });
    case 'server_off': {
      const by = SWITCHED_OFF_BY.find((each) => each === facts.by);
      return messages[by === undefined ? 'server_off' : (`server_off_by_${by}` as const)]({ provider });
    }
    case 'down':
      return messages.down;
    case 'certificate_expired':
    case 'certificate_missing':
    case 'certificate_wrong':
    case 'dns_elsewhere':
      return messages[kind]({ host });
    case 'certificate_not_renewed':
      return messages.certificate_not_renewed({ host, days });
    case 'disk_full':
    case 'disk_filling':
      return messages.disk({ percent });
    case 'memory_full':
      return messages.memory_full({ percent });
    case 'container_stopped':
    case 'container_restarting':
      return messages[kind]({ container });
    case 'slow':
      return messages.slow({ seconds });
  }
}

/** Returns the remedy for an incident. */
export function remedyMessage({ kind, facts }: Described): Message {
  if (kind === 'server_off')
    return REMEDY_MESSAGES.server_off({ provider: providerName(String(facts.provider ?? '')) });
  const isKept = facts.kept === KEPT;
  if (isKept && kind === 'dns_elsewhere') return REMEDY_MESSAGES.dns_kept;
  if (kind === 'certificate_expired' || kind === 'certificate_missing' || kind === 'certificate_not_renewed')
    return isKept ? REMEDY_MESSAGES.certificate_kept : REMEDY_MESSAGES.certificate;
  return REMEDY_MESSAGES[kind];
}
