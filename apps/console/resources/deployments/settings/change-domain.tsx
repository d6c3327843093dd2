import TextField from '@mui/material/TextField';
import { checkDomain, envVariable, type Message, type NameContext, ORDER_MESSAGES } from '@moorage/domain';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../../data/errors';
import { type Deployment, useChangeDomain } from '../../../data/deployments';
import { useNames } from '../../../data/names';
import { useServerNow } from '../../../data/server-now';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { useConsoleSettings } from '../../../data/brand';
import { duration } from '../../../ui/dates';
import { sandboxDomain, tidyDomain } from '../../../parts/order/domain-name';
import { useIsCard } from '../section';
import { useActsAsOwner, useIsVerified } from '../actions';
import { withReason } from '../../../data/problem-message';
import { LockedButton } from '../../../parts/locked-button';
import { useToast } from '../../../ui/use-toast';
import { allows, isOwn } from '../../../parts/deployment/deployment-messages';
import { bothForms } from '../../../ui/both-forms';
import { Button } from '../../../ui/button';

/** Button and form to change the domain while its records are missing or pending. */
export function ChangeDomain({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const isVerified = useIsVerified();
  if (!useActsAsOwner(deployment) || !allows(deployment, 'change_domain')) return null;
  return isOpen ? (
    <DomainForm deployment={deployment} onClose={() => setOpen(false)} />
  ) : (
    <LockedButton
      reason={isVerified ? null : t('deployments.locked.unverified')}
      size="small"
      onClick={() => setOpen(true)}
    >
      {t('deployments.domain.change')}
    </LockedButton>
  );
}

function DomainForm({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const t = useText();
  const toast = useToast();
  const id = useId();
  const isCard = useIsCard();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<Message | null>(null);
  const names = useNames();
  const change = useChangeDomain(deployment.id);
  const left = useTimeLeft(change.error, change.submittedAt);
  useEffect(() => input.current?.focus(), []);

  const refuse = (message: Message): void => {
    setProblem(message);
    input.current?.focus();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (change.isPending || left !== null) return;
    const domain = tidyDomain(typed);
    setTyped(domain);
    const wrong = problemOf(domain, { deployment, names });
    if (wrong !== null) return refuse(wrong);
    change.mutate(domain, {
      onSuccess: () => {
        toast(t('deployments.domain.changed', { domain: bothForms(domain) }));
        onClose();
      },
      onError: (error) => {
        const field = error instanceof ApiError ? error.fields.find(({ path }) => path === 'domain') : undefined;
        if (field !== undefined) refuse(field.message);
        else if (waitOf(error) === null) toast(withReason(t('deployments.domain.failed'), error), { type: 'error' });
      },
    });
  };
  return (
    <form className="change-domain" noValidate onSubmit={submit}>
      <label htmlFor={id}>{t('deployments.domain.new')}</label>
      <TextField
        id={id}
        fullWidth
        value={typed}
        error={problem !== null}
        placeholder={envVariable('DOMAIN')?.placeholder}
        inputRef={input}
        onChange={(event) => {
          setTyped(event.target.value);
          setProblem(null);
        }}
        slotProps={{
          htmlInput: {
            name: 'domain',
            'aria-invalid': problem !== null,
            'aria-describedby': `${id}-hint`,
            autoComplete: 'off',
            autoCapitalize: 'none',
            spellCheck: false,
          },
        }}
      />
      <p className={problem === null ? 'hint' : 'hint wrong'} id={`${id}-hint`}>
        {problem === null
          ? t(isCard ? 'deployments.page.domain_hint' : 'deployments.domain.hint')
          : messageText(problem)}
      </p>
      <Suggestion
        deployment={deployment}
        typed={typed}
        onUse={(name) => {
          setTyped(name);
          setProblem(null);
        }}
      />
      {left === null ? null : (
        <p className="problem small" role="alert">
          {t('deployments.domain.wait')}{' '}
          <span aria-hidden="true">{t('deployments.domain.left', { left: duration(left) })}</span>
        </p>
      )}
      <div className="row wrap">
        <Button type="submit" kind="primary" size="small" disabled={change.isPending || left !== null}>
          {change.isPending ? t('deployments.cost.saving') : t('deployments.domain.change')}
        </Button>
        <Button size="small" onClick={onClose}>
          {t('layout.cancel')}
        </Button>
      </div>
    </form>
  );
}

/** Validates the domain as the wizard does. It must also differ from the current domain. */
function problemOf(
  domain: string,
  { deployment, names }: { deployment: Deployment; names: NameContext },
): Message | null {
  return domain === deployment.domain ? ORDER_MESSAGES.domain_same : checkDomain(domain, names);
}

const waitOf = (error: Error | null): number | null =>
  error instanceof ApiError && error.status === 429 ? error.retryAfterS : null;

/** Returns the milliseconds until the next change is possible, or null if it is now. */
function useTimeLeft(error: Error | null, requestedAt: number): number | null {
  const wait = waitOf(error);
  const now = useServerNow(new Date(requestedAt).toISOString(), requestedAt, 1_000);
  if (wait === null) return null;
  const left = requestedAt + wait * 1_000 - now;
  return left > 0 ? left : null;
}

/** Suggests a domain that resolves automatically, if the cloud is simulated. */
function Suggestion({
  deployment,
  typed,
  onUse,
}: {
  deployment: Deployment;
  typed: string;
  onUse: (name: string) => void;
}) {
  const t = useText();
  const { sandbox_domain: zone } = useConsoleSettings();
  if (zone === null || !deployment.sandbox || isOwn(deployment)) return null;
  const name = sandboxDomain({ pack: deployment.package, at: Date.parse(deployment.created_at), zone });
  if (name === typed || name === deployment.domain) return null;
  return (
    <Button kind="text" size="small" onClick={() => onUse(name)}>
      {t('wizard.config.use', { value: name })}
    </Button>
  );
}
