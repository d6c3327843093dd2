import type { VpsCheckResult } from '@moorage/contracts';
import type { Message } from '@moorage/domain';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { FormEvent } from 'react';
import { usePeripheryScript } from '../data/servers';
import { type ConsoleTextKey, useText } from '../texts/console-i18n';
import { CopyButton, CopyTextButton } from '../ui/copy-button';
import { shortInstant } from '../ui/dates';
import type { VpsCheckState } from './draft-storage';
import { ErrorAlert } from './step-frame';
import { ServerAddress } from './server-address';
import { useVpsCheck } from './use-vps-check';
import { useWizard } from './use-wizard';
import { messageText } from '../texts/locale';

/** Instructions for the customer's server (run the script, enter the address) and the result of its check. */
export function OwnServer() {
  const t = useText();
  const { wizard } = useWizard();
  const script = usePeripheryScript(wizard.draft.package);
  return (
    <ol className="own card">
      <li className="pad">
        <h2>{t('wizard.vps.allow')}</h2>
        <p className="soft">{t('wizard.vps.allow_hint')}</p>
        {script.error === null ? (
          <div className="code" aria-busy={script.data === undefined}>
            <header>
              <span className="grow mono">{t('wizard.vps.file')}</span>
              {script.data === undefined ? null : <CopyTextButton value={script.data} />}
            </header>
            <pre tabIndex={0} aria-label={t('wizard.vps.script')}>
              {script.data ?? ''}
            </pre>
          </div>
        ) : (
          <ErrorAlert failed={t('wizard.failed.script')} error={script.error} again={() => script.refetch()} />
        )}
      </li>
      <li className="pad">
        <h2>{t('wizard.vps.address_title')}</h2>
        <AddressForm />
      </li>
    </ol>
  );
}

function AddressForm() {
  const t = useText();
  const { wizard, choose, check, setCheck, problems, verified } = useWizard();
  const { check: startCheck, cancel } = useVpsCheck();
  const { vps, draft } = wizard;
  const address = draft.vps_ip_address ?? '';
  const busy = vps.state === 'validating';
  const off = !verified || busy || address.trim() === '';
  const wrong = vps.state === 'error' ? vps.message : (problems.vps_ip_address ?? null);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!off) startCheck();
  };
  return (
    <form onSubmit={submit} noValidate>
      <ServerAddress
        address={address}
        onType={(typed) => {
          cancel();
          setCheck(null);
          choose({ type: 'vps_address_typed', address: typed });
        }}
        hint={verified ? t('wizard.vps.address_hint') : t('wizard.vps.unverified')}
        isOff={off}
        isChecking={busy}
        passed={vps.state === 'success' ? { message: vps.message } : null}
        wrong={wrong}
      />
      {check === null ? null : <Found check={check} explanation={vps.message} />}
    </form>
  );
}

/** Host key to compare and the results of the check, problems first. */
export function Found({ check, explanation }: { check: VpsCheckState; explanation: Message | null }) {
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
