import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useOwnUser } from '../../data/own-user';
import { useText } from '../../texts/console-i18n';
import { useBrand } from '../../data/brand';
import { CopyTextButton } from '../../ui/copy-button';
import { saveFile } from '../../ui/save-file';
import { Button } from '../../ui/button';
import './recovery-codes.css';

/** Recovery codes, shown once until the user confirms that they are saved. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useText();
  const username = useOwnUser().data?.username ?? '';
  const { name: brand } = useBrand();
  const [stored, setStored] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const lines = codes.join('\n');
  const save = (): void => {
    const text = `${t('account.two_factor.codes_file', { username, brand })}\n\n${lines}\n`;
    saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), `${brand.toLowerCase()}-recovery-codes.txt`);
  };
  return (
    <div className="account-form">
      <h3 ref={heading} tabIndex={-1}>
        {t('account.two_factor.codes_title')}
      </h3>
      <p className="soft">{t('account.two_factor.codes_lead')}</p>
      <ul className="codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row wrap">
        <CopyTextButton value={lines} label={t('account.two_factor.copy_all')} />
        <Button size="small" onClick={save} icon={Download}>
          {t('account.two_factor.download')}
        </Button>
      </div>
      <FormControlLabel
        className="switch"
        control={<Checkbox size="small" checked={stored} onChange={(_event, on) => setStored(on)} />}
        label={t('account.two_factor.kept')}
      />
      <div>
        <Button kind="primary" disabled={!stored} onClick={onDone}>
          {t('account.two_factor.done')}
        </Button>
      </div>
    </div>
  );
}
