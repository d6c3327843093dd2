import { Check, type LucideIcon, X } from 'lucide-react';
import { SectionCard } from '../../../ui/card';
import type { Backups } from '../../../data/backups';
import { useText } from '../../../texts/console-i18n';
import { inLanguage } from '../../../texts/locale';
import { byteSize } from '../../../ui/bytes';
import { newestComplete } from './copy-messages';
import './contents-card.css';

type Texts = Backups['included'];

/** Lists what a copy of this package includes and leaves out, with the contents of the newest copy. */
export function ContentsCard({ backups: { included, not_included: not, copies } }: { backups: Backups }) {
  const t = useText();
  const newest = newestComplete(copies);
  if (included.length === 0 && not.length === 0) return null;
  return (
    <SectionCard id="contents" title={t('backups.contents.title')}>
      <div className="pad backup-contents">
        <List title={t('backups.contents.included')} texts={included} icon={Check} tone="good" />
        <List title={t('backups.contents.not_included')} texts={not} icon={X} tone="muted" />
        {newest?.files == null ? null : (
          <p className="small muted">
            {t('backups.contents.newest', { smart_count: newest.files })}
            {newest.dumps.length === 0
              ? null
              : `. ${t('backups.contents.databases', {
                  names: newest.dumps.map(({ name, bytes }) => `${name} (${byteSize(bytes)})`).join(', '),
                })}`}
          </p>
        )}
      </div>
    </SectionCard>
  );
}

function List({ title, texts, icon: Icon, tone }: { title: string; texts: Texts; icon: LucideIcon; tone: string }) {
  if (texts.length === 0) return null;
  return (
    <div>
      <h3 className="small muted">{title}</h3>
      <ul>
        {texts.map((text) => (
          <li key={inLanguage(text)}>
            <Icon size={16} className={tone} aria-hidden="true" />
            {inLanguage(text)}
          </li>
        ))}
      </ul>
    </div>
  );
}
