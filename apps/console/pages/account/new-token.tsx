import type { RouteAnswer } from '@moorage/contracts';
import { useEffect, useRef } from 'react';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { CurlExample } from './curl-example';

export type CreatedToken = RouteAnswer<'POST /users/self/api-tokens'>;

/** Value of a new token, shown once. */
export function NewToken({ token: { label, token }, onDone }: { token: CreatedToken; onDone: () => void }) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="account-form">
      <h3 className="anywhere" ref={heading} tabIndex={-1}>
        {t('account.tokens.created_title', { label })}
      </h3>
      <p className="soft">{t('account.tokens.created_lead')}</p>
      <p>
        <span className="mono anywhere">{token}</span> <CopyButton value={token} what={t('account.tokens.value')} />
      </p>
      <CurlExample token={token} />
      <div>
        <Button kind="primary" onClick={onDone}>
          {t('account.tokens.done')}
        </Button>
      </div>
    </div>
  );
}
