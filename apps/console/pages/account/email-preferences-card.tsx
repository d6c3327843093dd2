import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import type { NotificationAnswer } from '@moorage/contracts';
import { MAIL_KIND_MESSAGES } from '@moorage/domain';
import { chooseLanguage } from '../../data/account';
import { NOTIFICATIONS } from '../../data/actions/account';
import { useOwnUser } from '../../data/own-user';
import { errorText } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { localeOf, LOCALES, messageText, useLocale } from '../../texts/locale';
import { SectionCard, Loaded } from '../../ui/card';
import { SelectField } from '../../ui/form/select-field';
import './email-preferences-card.css';

/** Settings for which emails are sent, and in which language. */
export function EmailPreferencesCard() {
  const t = useText();
  const kinds = useRead('account', NOTIFICATIONS, {});
  return (
    <SectionCard id="mails" title={t('account.mails.title')}>
      <Loaded query={kinds} failed={t('account.mails.failed')}>
        {(rows) => <EmailKinds rows={rows} />}
      </Loaded>
      <div className="pad email-language">
        <LanguageField />
      </div>
    </SectionCard>
  );
}

function EmailKinds({ rows }: { rows: readonly NotificationAnswer[] }) {
  const t = useText();
  const set = useAction('account', 'setNotification', { failed: errorText });
  return (
    <ul className="pad">
      {rows.map(({ kind, is_on, can_change }) => (
        <li key={kind}>
          <FormControlLabel
            className="switch"
            disabled={!can_change}
            control={
              <Switch
                size="small"
                checked={is_on}
                onChange={(_event, isOn) => set.mutate({ body: { kind, is_on: isOn } })}
              />
            }
            label={
              <>
                {messageText(MAIL_KIND_MESSAGES[kind])}
                {can_change ? null : <span className="hint"> {t('account.mails.fixed')}</span>}
              </>
            }
          />
        </li>
      ))}
    </ul>
  );
}

function LanguageField() {
  const t = useText();
  const shown = useLocale();
  const language = useOwnUser().data?.language ?? shown;
  return (
    <SelectField
      label={t('account.mails.language')}
      hint={t('account.mails.language_hint')}
      value={language}
      onChange={(value) => void chooseLanguage(localeOf(value))}
    >
      {LOCALES.map(({ locale, name }) => (
        <option key={locale} value={locale} lang={locale}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
