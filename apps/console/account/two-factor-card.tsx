import Button from '@mui/material/Button';
import type { TwoFactorAnswer } from '@moorage/contracts';
import { ACCESS_MESSAGES } from '@moorage/domain';
import { ShieldAlert, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import { loadUser } from '../data/account';
import { api } from '../data/api';
import { useAccountRefresh, useOwnUser, useTwoFactor } from '../data/own-account';
import { LockedButton } from '../deployments/locked-button';
import { useSay } from '../deployments/say';
import { useText } from '../texts/console-i18n';
import { usePublicText } from '../texts/locale';
import { CodeField } from '../ui/code-field';
import { CopyButton } from '../ui/copy-button';
import { Field, RedBox } from '../ui/field';
import { problemText, sentText } from '../ui/problem-words';
import { useForm } from '../ui/use-form';
import { AccountCard, Loaded } from './account-card';
import { FormButtons } from './form-buttons';
import { Instant } from './instant';
import { RecoveryCodes } from './recovery-codes';
import { useOpener } from './use-opener';

/** With so few codes left the next ones are due. */
const FEW_CODES = 3;

interface Secret {
  readonly secret: string;
  readonly otpauth_url: string;
}

type Step =
  | { readonly name: 'rest' | 'begin' | 'renew' | 'end' }
  | { readonly name: 'scan'; readonly secret: Secret }
  | { readonly name: 'codes'; readonly codes: readonly string[] };

const AT_REST: Step = { name: 'rest' };

/** The second factor: turning it on in three steps, its recovery codes, turning it off. */
export function TwoFactorCard() {
  const t = useText();
  const twoFactor = useTwoFactor();
  const { is_on: isOn } = twoFactor.data ?? {};
  return (
    <AccountCard
      id="two-factor"
      title={t('account.two_factor.title')}
      aside={
        isOn === undefined ? null : (
          <span className={isOn ? 'tag star' : 'tag off'}>{t(`account.two_factor.${isOn ? 'on' : 'off'}`)}</span>
        )
      }
    >
      <Loaded query={twoFactor} failed={t('account.two_factor.failed')}>
        {(state) => <Steps state={state} />}
      </Loaded>
    </AccountCard>
  );
}

function Steps({ state }: { state: TwoFactorAnswer }) {
  const t = useText();
  const say = useSay();
  const [step, setStep] = useState<Step>(AT_REST);
  const refresh = useAccountRefresh();
  const rest = (): void => setStep(AT_REST);
  const changed = (): void => {
    void refresh('two-factor');
    void loadUser().catch(() => undefined);
  };
  const showCodes = (codes: readonly string[]): void => {
    setStep({ name: 'codes', codes });
    changed();
  };
  return (
    <div className="pad">
      {step.name === 'codes' ? (
        <RecoveryCodes codes={step.codes} onDone={rest} />
      ) : (
        <>
          <State state={state} step={step} onStep={setStep} />
          {step.name === 'begin' ? (
            <BeginForm onBegun={(secret) => setStep({ name: 'scan', secret })} onCancel={rest} />
          ) : null}
          {step.name === 'scan' ? <ScanForm secret={step.secret} onCodes={showCodes} onCancel={rest} /> : null}
          {step.name === 'renew' ? (
            <ProofForm
              lead={t('account.two_factor.renew_lead')}
              label={t('account.two_factor.renew_submit')}
              busyLabel={t('account.two_factor.renewing')}
              onProof={async (body) =>
                showCodes((await api('POST /users/self/two-factor/recovery-codes', { body })).recovery_codes)
              }
              onCancel={rest}
            />
          ) : null}
          {step.name === 'end' ? (
            <ProofForm
              label={t('account.two_factor.turn_off')}
              busyLabel={t('account.two_factor.turning_off')}
              onProof={async (body) => {
                say(sentText(await api('POST /users/self/two-factor/disable', { body })));
                rest();
                changed();
              }}
              onCancel={rest}
            />
          ) : null}
        </>
      )}
    </div>
  );
}

function State({ state, step, onStep }: { state: TwoFactorAnswer; step: Step; onStep: (step: Step) => void }) {
  const t = useText();
  const isVerified = useOwnUser().data?.is_verified !== false;
  const opener = useOpener(step.name !== 'rest');
  if (!state.is_on) {
    return (
      <>
        <p className="soft">{t('account.two_factor.why')}</p>
        {state.is_required ? (
          <div className="note brass">
            <ShieldAlert size={16} aria-hidden="true" />
            <p className="grow">{t('account.two_factor.required')}</p>
          </div>
        ) : null}
        {step.name === 'rest' ? (
          <LockedButton
            ref={opener}
            reason={isVerified ? null : t('account.unverified')}
            onClick={() => onStep({ name: 'begin' })}
          >
            {t('account.two_factor.turn_on')}
          </LockedButton>
        ) : null}
      </>
    );
  }
  return (
    <>
      <dl className="kv">
        {state.since === null ? null : (
          <div>
            <dt>{t('account.two_factor.since')}</dt>
            <dd>
              <Instant iso={state.since} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t('account.two_factor.codes_left')}</dt>
          <dd>{state.recovery_codes_left}</dd>
        </div>
      </dl>
      {state.recovery_codes_left > FEW_CODES ? null : (
        <div className="note brass">
          <TriangleAlert size={16} aria-hidden="true" />
          <p className="grow">{t('account.two_factor.few_left')}</p>
        </div>
      )}
      {step.name === 'rest' ? (
        <div className="row wrap">
          <LockedButton
            ref={opener}
            reason={isVerified ? null : t('account.unverified')}
            onClick={() => onStep({ name: 'renew' })}
          >
            {t('account.two_factor.renew')}
          </LockedButton>
          <Button color="error" onClick={() => onStep({ name: 'end' })}>
            {t('account.two_factor.turn_off')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** How the forms of this card check their fields. */
function useChecks() {
  const p = usePublicText();
  return {
    password: ({ password }: { password: string }) =>
      password === '' ? p('form.required', { field: p('form.password') }) : null,
    otp: ({ otp }: { otp: string }) => (otp.trim() === '' ? problemText(ACCESS_MESSAGES.otp_missing) : null),
  };
}

function BeginForm({ onBegun, onCancel }: { onBegun: (secret: Secret) => void; onCancel: () => void }) {
  const t = useText();
  const { password } = useChecks();
  const form = useForm({
    initial: { password: '' },
    checks: { password },
    failed: 'form.failed',
    retryAt: 'password',
    async submit({ password }) {
      onBegun(await api('POST /users/self/two-factor', { body: { password } }));
      return null;
    },
  });
  return (
    <form className="inplace" noValidate onSubmit={form.onSubmit}>
      <RedBox text={form.refusal} />
      <Field
        label={t('account.current_password')}
        type="password"
        autoComplete="current-password"
        autoFocus
        field={form.field('password')}
      />
      <FormButtons
        label={t('account.two_factor.continue')}
        busyLabel={t('account.two_factor.continuing')}
        busy={form.busy}
        onCancel={onCancel}
      />
    </form>
  );
}

function ScanForm({
  secret: { secret, otpauth_url: url },
  onCodes,
  onCancel,
}: {
  secret: Secret;
  onCodes: (codes: readonly string[]) => void;
  onCancel: () => void;
}) {
  const t = useText();
  const { otp } = useChecks();
  const form = useForm({
    initial: { otp: '' },
    checks: { otp },
    failed: 'form.failed',
    retryAt: 'otp',
    async submit({ otp }) {
      onCodes((await api('POST /users/self/two-factor/confirm', { body: { otp } })).recovery_codes);
      return null;
    },
  });
  return (
    <form className="inplace" noValidate onSubmit={form.onSubmit}>
      <p>{t('account.two_factor.scan')}</p>
      {/* dark on white in both themes, with the quiet zone that readers look for */}
      <div
        className="qr"
        role="img"
        aria-label={t('account.two_factor.qr')}
        dangerouslySetInnerHTML={{ __html: renderSVG(url, { border: 4 }) }}
      />
      <p className="soft">
        {t('account.two_factor.type_in')}: <span className="mono anywhere">{secret}</span>{' '}
        <CopyButton value={secret} what={t('account.two_factor.secret')} />
      </p>
      <RedBox text={form.refusal} />
      <CodeField field={form.field('otp')} recovery={false} autoFocus />
      <FormButtons
        label={t('account.two_factor.confirm')}
        busyLabel={t('account.two_factor.confirming')}
        busy={form.busy}
        onCancel={onCancel}
      />
    </form>
  );
}

interface Proof {
  readonly password: string;
  readonly otp: string;
}

/** What changes the second factor asks for both. */
function ProofForm({
  lead,
  label,
  busyLabel,
  onProof,
  onCancel,
}: {
  lead?: string;
  label: string;
  busyLabel: string;
  onProof: (proof: Proof) => Promise<void>;
  onCancel: () => void;
}) {
  const t = useText();
  const form = useForm({
    initial: { password: '', otp: '' },
    checks: useChecks(),
    failed: 'form.failed',
    retryAt: 'password',
    submit: (proof) => onProof(proof).then(() => null),
  });
  return (
    <form className="inplace" noValidate onSubmit={form.onSubmit}>
      {lead === undefined ? null : <p className="soft">{lead}</p>}
      <RedBox text={form.refusal} />
      <Field
        label={t('account.current_password')}
        type="password"
        autoComplete="current-password"
        autoFocus
        field={form.field('password')}
      />
      <CodeField field={form.field('otp')} />
      <FormButtons label={label} busyLabel={busyLabel} busy={form.busy} onCancel={onCancel} />
    </form>
  );
}
