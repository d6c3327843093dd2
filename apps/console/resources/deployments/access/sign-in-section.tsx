import type { SignInAnswer } from '@moorage/contracts';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Deployment } from '../../../data/deployments';
import { useAction } from '../../../data/use-action';
import { useCanChange } from '../../../data/session';
import { useText } from '../../../texts/console-i18n';
import { inLanguage } from '../../../texts/locale';
import { CopyButton } from '../../../ui/copy-button';
import { hostOf } from '../../../parts/deployment/deployment-messages';
import { Section } from '../section';
import { Button } from '../../../ui/button';
import './sign-in-section.css';

type Values = Readonly<Record<string, string>>;

/** Target of links in emails (`/dashboard?deployment=7#sign-in`). */
const ANCHOR = 'sign-in';

/**
 * The owner's credentials for the running package. Passwords are loaded on demand, every reveal is audited, and the
 * values exist only in this component.
 */
export function SignInSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const heading = useRequestedPart();
  const [values, setValues] = useState<Values | null>(null);
  const reveal = useAction('deployments', 'revealSecrets');
  const rows = deployment.sign_in ?? [];
  if (rows.length === 0) return null;
  const load = (then: () => void): void => {
    if (values !== null) return then();
    reveal.mutate(
      { params: { id: deployment.id } },
      {
        onSuccess: ({ secrets }) => {
          setValues(Object.fromEntries(secrets.map(({ name, value }) => [name, value])));
          reveal.reset();
          then();
        },
      },
    );
  };
  return (
    <Section id={ANCHOR} className="sign-in" title={t('deployments.sign_in.title')} heading={heading}>
      {rows.map((row) => (
        <SignInRow key={row.title + row.address} {...{ row, values, load }} isLoading={reveal.isPending} />
      ))}
      {reveal.isError ? (
        <p role="alert" className="problem small">
          {t('deployments.secrets.failed')}
        </p>
      ) : null}
      {rows.some(({ password }) => password !== null) ? (
        <p className="hint">{t('deployments.sign_in.password_hint')}</p>
      ) : null}
    </Section>
  );
}

interface Loading {
  readonly values: Values | null;
  /** Loads the values if necessary. */
  readonly load: (then: () => void) => void;
  readonly isLoading: boolean;
}

function SignInRow({ row, ...loading }: Loading & { row: SignInAnswer }) {
  const t = useText();
  const { address, open_link, user, password, token } = row;
  const title = inLanguage(row.title_texts);
  return (
    <>
      <h4>{title}</h4>
      <dl className="kv">
        <div>
          <dt>{t('deployments.sign_in.address')}</dt>
          <dd className="row tight">
            <a className="anywhere" href={open_link ?? address} target="_blank" rel="noreferrer">
              {shownAddress(address)}
            </a>
            <CopyButton value={open_link ?? address} what={`${title}: ${t('deployments.sign_in.address')}`} />
          </dd>
        </div>
        {user === null ? null : (
          <div>
            <dt>{t('deployments.sign_in.user')}</dt>
            <dd className="row tight">
              <span className="mono">{user}</span>
              <CopyButton value={user} what={`${title}: ${t('deployments.sign_in.user')}`} />
            </dd>
          </div>
        )}
        {password === null ? null : (
          <HiddenValue label={t('deployments.sign_in.password')} {...{ title, name: password }} {...loading} />
        )}
        {token === null ? null : (
          <HiddenValue label={t('deployments.sign_in.token')} {...{ title, name: token }} {...loading} />
        )}
      </dl>
    </>
  );
}

/** Removes a trailing slash from an address without a path. */
const shownAddress = (address: string): string => hostOf(address).replace(/^([^/]+)\/$/, '$1');

/** Secret that is loaded and shown on a click. */
function HiddenValue({
  name,
  label,
  title,
  values,
  load,
  isLoading,
}: Loading & { name: string; label: string; title: string }) {
  const t = useText();
  const [isShown, setShown] = useState(false);
  const canChange = useCanChange();
  const value = isShown ? values?.[name] : undefined;
  const what = `${title}: ${label}`;
  return (
    <div>
      <dt>{label}</dt>
      <dd className="row tight wrap">
        <span className={value === undefined ? 'mono muted' : 'mono'}>
          {value ?? <span aria-hidden="true">••••••••</span>}
        </span>
        {value === undefined ? null : <CopyButton value={value} what={what} />}
        {canChange ? (
          <Button
            kind="text"
            size="small"
            aria-label={t(value === undefined ? 'deployments.sign_in.show_what' : 'deployments.sign_in.hide_what', {
              what,
            })}
            disabled={isLoading}
            onClick={value === undefined ? () => load(() => setShown(true)) : () => setShown(false)}
          >
            {t(value === undefined ? 'deployments.sign_in.show' : 'deployments.sign_in.hide')}
          </Button>
        ) : null}
      </dd>
    </div>
  );
}

/** Scrolls this section into view for links from emails. */
function useRequestedPart() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash !== `#${ANCHOR}`) return;
    heading.current?.focus({ preventScroll: true });
    // With `start`, the drawer's header would scroll out of view.
    heading.current?.closest('section')?.scrollIntoView?.({ block: 'nearest' });
  }, [hash, key]);
  return heading;
}
