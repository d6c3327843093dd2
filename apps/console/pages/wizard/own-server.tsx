import { checkSshUser, ROOT_USER } from '@moorage/domain';
import { type FormEvent, useState } from 'react';
import { usePeripheryScript } from '../../data/servers';
import { ServerAddress } from '../../parts/order/server-address';
import { ServerCheck } from '../../parts/order/server-check';
import { type Login, ROOT_LOGIN, ServerLogin } from '../../parts/order/server-login';
import { SimulatedServer } from '../../parts/order/simulated-server';
import { useText } from '../../texts/console-i18n';
import { CopyButton, CopyTextButton } from '../../ui/copy-button';
import { ErrorAlert } from '../../ui/error-alert';
import { choiceErrorText } from './loaded-choices';
import { useVpsCheck } from './use-vps-check';
import { useWizard } from './wizard-context';
import './own-server.css';

/** Commands as in the comments of the script (`peripheryScript`). */
const INSTALL_DOCKER = 'curl -fsSL https://get.docker.com | sudo sh';
const RUN_SCRIPT = 'sudo docker compose up -d';

/** Instructions for the customer's server (run the script, enter the address) and the result of its check. */
export function OwnServer() {
  const t = useText();
  const { wizard } = useWizard();
  // Not part of the draft, because the password must not be stored.
  const [login, setLogin] = useState(ROOT_LOGIN);
  const user = checkSshUser(login.user) === null ? login.user : ROOT_USER;
  const script = usePeripheryScript(wizard.draft.package, true, user);
  return (
    <ol className="own card">
      <li className="pad">
        <h2>{t('wizard.vps.allow')}</h2>
        <p className="soft">{t('wizard.vps.allow_hint')}</p>
        <Command number={1} what={t('wizard.vps.commands.docker')} command={INSTALL_DOCKER} />
        <p>
          <b>2.</b> {t('wizard.vps.commands.save')}
        </p>
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
          <ErrorAlert
            text={t('wizard.failed.script')}
            detail={choiceErrorText(script.error)}
            onRetry={() => void script.refetch()}
          />
        )}
        <Command number={3} what={t('wizard.vps.commands.run')} command={RUN_SCRIPT} />
      </li>
      <li className="pad">
        <h2>{t('wizard.vps.address_title')}</h2>
        <AddressForm login={login} onLogin={setLogin} />
      </li>
    </ol>
  );
}

/** A numbered step that is a single command on the server. */
function Command({ number, what, command }: { number: number; what: string; command: string }) {
  return (
    <p className="command">
      <b>{number}.</b> {what} <code className="mono">{command}</code> <CopyButton value={command} what={command} />
    </p>
  );
}

function AddressForm({ login, onLogin }: { login: Login; onLogin: (login: Login) => void }) {
  const t = useText();
  const { wizard, choose, check, setCheck, problems, verified } = useWizard();
  const { check: startCheck, cancel } = useVpsCheck(login);
  const { vps, draft } = wizard;
  const address = draft.vps_ip_address ?? '';
  const busy = vps.state === 'validating';
  const off = !verified || busy || address.trim() === '' || checkSshUser(login.user) !== null;
  const wrong = vps.state === 'error' ? vps.message : (problems.vps_ip_address ?? null);

  const changed = (typed: string): void => {
    cancel();
    setCheck(null);
    choose({ type: 'vps_address_typed', address: typed });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!off) startCheck();
  };
  return (
    <form onSubmit={submit} noValidate>
      <SimulatedServer
        onUse={(simulated) => {
          onLogin(ROOT_LOGIN);
          changed(simulated);
        }}
      />
      <ServerLogin
        login={login}
        onType={(typed) => {
          onLogin(typed);
          changed(address);
        }}
      />
      <ServerAddress
        address={address}
        onType={changed}
        hint={verified ? t('wizard.vps.address_hint') : t('wizard.vps.unverified')}
        isOff={off}
        isChecking={busy}
        passed={vps.state === 'success' ? { message: vps.message } : null}
        wrong={wrong}
      />
      {check === null ? null : <ServerCheck check={check} explanation={vps.message} />}
    </form>
  );
}
