import type { TwoFactorAnswer } from '@moorage/contracts';
import { ACCESS_MESSAGES } from '@moorage/domain';
import { ShieldAlert, TriangleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { renderSVG } from 'uqr';
import { loadUser } from '../../data/account';
import { api } from '../../data/api';
import { useAccountRefresh, useOwnUser, useTwoFactor } from '../../data/own-account';
import { LockedButton } from '../../parts/locked-button';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { CodeField } from '../../ui/form/code-field';
import { CopyButton } from '../../ui/copy-button';
import { FormError } from '../../ui/form/field';
import { problemText, refusalText, sentText } from '../../data/problem-message';
import { useForm } from '../../ui/form/use-form';
import { SectionCard, Loaded } from '../../ui/card';
import { FormButtons } from '../../ui/form/form-buttons';
import { Instant } from '../../ui/instant';
import { RecoveryCodes } from './recovery-codes';
import { useReturnFocus } from '../../ui/use-return-focus';
import { Button } from '../../ui/button';

/** Number of remaining codes at which new ones are suggested. */
const FEW_CODES = 3;

interface Secret {
  readonly secret: string;
  readonly otpauth_url: string;
}

type Step =
  | { readonly name: 'rest' | 'renew' | 'end' }
  | { readonly name: 'scan'; readonly secret: Secret }
  | { readonly name: 'codes'; readonly codes: readonly string[] };

const AT_REST: Step = { name: 'rest' };

/** Two-factor authentication: enabling it in three steps, recovery codes, disabling it. */
export function TwoFactorCard() {
  const t = useText();
  const twoFactor = useTwoFactor();
  const { is_on: isOn } = twoFactor.data ?? {};
  return (
    <SectionCard
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
    </SectionCard>
  );
}

function Steps({ state }: { state: TwoFactorAnswer }) {
  const t = useText();
  const toast = useToast();
  const [step, setStep] = useState<Step>(AT_REST);
  const refresh = useAccountRefresh();
  const rest = (): void => setStep(AT_REST);
  const changed = (): void => {
    // The server has ended the other sessions, and tokens that would benefit from the change.
    void refresh('two-factor', 'sessions', 'api-tokens');
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
          {step.name === 'scan' ? <ScanForm secret={step.secret} onCodes={showCodes} onCancel={rest} /> : null}
          {step.name === 'renew' ? (
            <ConfirmForm
              lead={t('account.two_factor.renew_lead')}
              label={t('account.two_factor.renew_submit')}
              busyLabel={t('account.two_factor.renewing')}
              onConfirm={async () =>
                showCodes((await api('POST /users/self/two-factor/recovery-codes')).recovery_codes)
              }
              onCancel={rest}
            />
          ) : null}
          {step.name === 'end' ? (
            <ConfirmForm
              lead={t('account.two_factor.end_lead')}
              label={t('account.two_factor.turn_off')}
              busyLabel={t('account.two_factor.turning_off')}
              onConfirm={async () => {
                toast(sentText(await api('POST /users/self/two-factor/disable')));
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
  const p = usePublicText();
  const isVerified = useOwnUser().data?.is_verified !== false;
  const opener = useReturnFocus(step.name !== 'rest');
  const toast = useToast();
  const begin = async (): Promise<void> => {
    try {
      onStep({ name: 'scan', secret: await api('POST /users/self/two-factor') });
    } catch (error) {
      toast(refusalText(error, p('form.failed')), { type: 'error' });
    }
  };
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
          <LockedButton ref={opener} reason={isVerified ? null : t('account.unverified')} onClick={() => void begin()}>
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
          <Button kind="danger" onClick={() => onStep({ name: 'end' })}>
            {t('account.two_factor.turn_off')}
          </Button>
        </div>
      ) : null}
    </>
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
  const form = useForm({
    initial: { otp: '' },
    checks: { otp: ({ otp }) => (otp.trim() === '' ? problemText(ACCESS_MESSAGES.otp_missing) : null) },
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
      {/* Dark on white in both themes, with the quiet zone that scanners need. */}
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
      <FormError text={form.refusal} />
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

/** Form to confirm a change. The call itself prompts for password and code. */
function ConfirmForm({
  lead,
  label,
  busyLabel,
  onConfirm,
  onCancel,
}: {
  lead: string;
  label: string;
  busyLabel: string;
  onConfirm: () => Promise<void>;
  onCancel: () => void;
}) {
  const p = usePublicText();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setRefusal(null);
    try {
      await onConfirm();
    } catch (error) {
      setRefusal(refusalText(error, p('form.failed')));
      setBusy(false);
    }
  };
  return (
    <form className="inplace" noValidate onSubmit={(event) => void submit(event)}>
      <p className="soft">{lead}</p>
      <FormError text={refusal} />
      <FormButtons label={label} busyLabel={busyLabel} busy={busy} onCancel={onCancel} />
    </form>
  );
}
