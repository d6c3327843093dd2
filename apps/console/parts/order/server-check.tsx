import type { VpsCheckResult } from '@moorage/contracts';
import type { Message } from '@moorage/domain';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { type ConsoleTextKey, useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { CopyButton } from '../../ui/copy-button';
import { shortInstant } from '../../ui/dates';
import type { VpsCheckState } from './draft-storage';
import './server-check.css';

/** Host key to compare and the results of the check, problems first. */
export function ServerCheck({ check, explanation }: { check: VpsCheckState; explanation: Message | null }) {
  const t = useText();
  const { host_key_sha256: fingerprint, valid_until: until } = check;
  // A single message is already shown above.
  const results =
    check.results.length === 1 && check.results[0]?.message.detail === explanation?.detail ? [] : check.results;
  return (
    <div className="found">
      {fingerprint === null ? null : (
        <>
          <p className="row wrap">
            <span className="muted">{t('wizard.vps.fingerprint')}</span>
            <span className="mono print">{fingerprint}</span>
            <CopyButton value={fingerprint} what={t('wizard.vps.fingerprint')} />
          </p>
          <p className="hint">{t('wizard.vps.fingerprint_hint')}</p>
        </>
      )}
      {results.length === 0 ? null : (
        <>
          <h3>{t('wizard.vps.found')}</h3>
          <ul className="results">
            {[...results].sort(bySeverity).map((result) => (
              <Result key={`${result.name} ${result.message.detail}`} result={result} />
            ))}
          </ul>
        </>
      )}
      {until === null ? null : <p className="hint">{t('wizard.vps.valid_until', { date: shortInstant(until) })}</p>}
    </div>
  );
}

const APPEARANCES = {
  error: { icon: CircleAlert, tone: 'fail' },
  warning: { icon: TriangleAlert, tone: 'warn' },
  ok: { icon: CircleCheck, tone: 'good' },
} as const;
const SEVERITY = Object.keys(APPEARANCES);
const bySeverity = (one: VpsCheckResult, other: VpsCheckResult): number =>
  SEVERITY.indexOf(one.level) - SEVERITY.indexOf(other.level);

function Result({ result: { name, level, message } }: { result: VpsCheckResult }) {
  const t = useText();
  const { icon: Icon, tone } = APPEARANCES[level];
  // A check missing from the dictionary shows its ID.
  const title = t(`wizard.vps.checks.${name}` as ConsoleTextKey, { _: name });
  return (
    <li className={tone}>
      <Icon size={16} aria-hidden="true" />
      <span>
        <b>{title}</b> <span className="vh">({t(`wizard.vps.level.${level}`)})</span>
        <span className="soft">{messageText(message)}</span>
      </span>
    </li>
  );
}
