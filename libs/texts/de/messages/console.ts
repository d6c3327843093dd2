import type { ConsoleTables } from '../../message-tables';
import { alertsMessages } from './alerts';
import { backupsMessages } from './backups';
import { providerMessages } from './provider';
import { changesMessages } from './changes';
import { billingDocumentsMessages } from './billing-documents';
import { creditsMessages } from './credits';
import { furtherDomainsMessages } from './further-domains';
import type { Translated } from '../../translate';
import { incidentsMessages } from './incidents';
import { leaksMessages } from './leaks';
import { logsMessages } from './logs';
import { resizeMessages } from './resize';
import { updatesMessages } from './updates';
import { movesMessages } from './moves';
import { ownerRecordsMessages } from './owner-records';
import { usersMessages } from './users';

/** The German messages of the console and its emails. */
export const consoleMessages: Translated<ConsoleTables> = {
  ...alertsMessages,
  ...backupsMessages,
  ...changesMessages,
  ...movesMessages,
  ...ownerRecordsMessages,
  ...providerMessages,
  ...billingDocumentsMessages,
  ...creditsMessages,
  ...furtherDomainsMessages,
  ...incidentsMessages,
  ...leaksMessages,
  ...logsMessages,
  ...resizeMessages,
  ...updatesMessages,
  ...usersMessages,
  own_account: {
    password_wrong: 'Dieses Passwort ist falsch.',
    email_same: 'Das ist bereits Ihre E-Mail-Adresse.',
    email_change_none: 'Es steht keine Änderung Ihrer E-Mail-Adresse aus.',
    password_changed: 'Ihr Passwort wurde geändert. Auf allen anderen Geräten wurden Sie abgemeldet.',
    session_unknown: 'Diese Sitzung gibt es nicht.',
    session_this: 'Das ist die Sitzung, die Sie gerade benutzen. Melden Sie sich ab, um sie zu beenden.',
    session_ended: 'Die Sitzung wurde beendet.',
    sessions_ended: 'Alle anderen Sitzungen wurden beendet.',
    two_factor_on: 'Die Zwei-Faktor-Authentifizierung ist bereits eingeschaltet.',
    two_factor_off: 'Die Zwei-Faktor-Authentifizierung ist ausgeschaltet.',
    two_factor_not_begun: 'Beginnen Sie mit dem QR-Code.',
    two_factor_ended: 'Die Zwei-Faktor-Authentifizierung wurde ausgeschaltet.',
    code_needed: 'Geben Sie einen Code aus Ihrer Authenticator-App oder einen Wiederherstellungscode ein.',
    code_wrong: 'Dieser Code ist falsch oder wurde bereits verwendet. Warten Sie auf den nächsten.',
    mail_kind_fixed: 'E-Mails zu Sicherheit und Abrechnung lassen sich nicht abschalten.',
    export_running: 'Es wird bereits ein Export vorbereitet.',
    export_unknown: 'Diesen Export gibt es nicht.',
    export_not_ready: 'Dieser Export ist noch nicht fertig.',
    export_ended: 'Dieser Export ist nicht mehr gespeichert. Fordern Sie einen neuen an.',
    export_failed: 'Dieser Export konnte nicht vorbereitet werden. Fordern Sie einen neuen an.',
    delete_blocked:
      'Das Konto kann nicht gelöscht werden: Sie haben %{count} aktive(s) Deployment(s). Schalten Sie zuerst alle Deployments ab.',
    delete_administrator:
      'Administratoren können ihr eigenes Konto nicht löschen. Bitten Sie einen anderen Administrator, Ihnen zuerst die Rolle zu entziehen.',
    deleted: 'Ihr Konto wurde deaktiviert. Sie werden jetzt abgemeldet.',
  },
  order: {
    server_type_missing: 'Wählen Sie einen neuen Server oder Ihren eigenen.',
    provider_missing: 'Wählen Sie einen Cloud-Anbieter.',
    provider_not_offered: 'Dieser Cloud-Anbieter ist nicht verfügbar.',
    provider_unconfirmed:
      'Bei diesem Cloud-Anbieter kann noch nicht bestellt werden, weil ein Administrator zuerst sein Projekt bestätigen muss. Bitte wählen Sie einen anderen Anbieter.',
    region_missing: 'Wählen Sie eine Region.',
    region_unknown: 'Diese Region gibt es bei diesem Anbieter nicht.',
    region_not_offered: 'Dieser Anbieter oder diese Region ist nicht verfügbar.',
    size_missing: 'Wählen Sie eine Servergröße.',
    size_unknown: 'Diese Servergröße gibt es in dieser Region nicht.',
    size_sold_out: '%{size} ist in dieser Region ausverkauft. %{nearest} ist verfügbar.',
    sizes_sold_out:
      '%{size} und alle passenden Alternativen sind in dieser Region ausverkauft. Wählen Sie eine andere Region.',
    size_cpu_one: '%{package} braucht 1 Prozessor.',
    size_cpu: '%{package} braucht %{cpu} Prozessoren.',
    size_memory: '%{package} braucht %{memory} GB Arbeitsspeicher.',
    size_cpu_one_memory: '%{package} braucht 1 Prozessor und %{memory} GB Arbeitsspeicher.',
    size_cpu_memory: '%{package} braucht %{cpu} Prozessoren und %{memory} GB Arbeitsspeicher.',
    package_missing: 'Wählen Sie ein Paket.',
    package_unknown: 'Dieses Paket gibt es nicht.',
    level_missing: 'Wählen Sie die Support-Stufe 1, 2 oder 3.',
    address_missing: 'Geben Sie die IP-Adresse Ihres Servers ein.',
    address_malformed: 'Geben Sie eine IPv4-Adresse wie 203.0.113.10 oder eine IPv6-Adresse ein.',
    address_not_public:
      'Das ist keine öffentliche IP-Adresse. Geben Sie die Adresse ein, unter der der Server aus dem Internet erreichbar ist. Sie steht in der Konsole Ihres Anbieters.',
    address_in_use:
      'Auf diesem Server läuft bereits ein anderes Deployment. Verwenden Sie einen anderen Server, oder löschen Sie zuerst jenes Deployment.',
    check_first: 'Prüfen Sie zuerst Ihren Server. Eine Prüfung gilt 24 Stunden.',

    value_missing: '%{label} ist erforderlich.',
    value_missing_with: '%{label} ist zusammen mit %{other} erforderlich.',
    value_taken: '%{label} verwendet diesen Namen bereits. Jede Angabe braucht einen eigenen.',
    value_of_package: 'Das Paket selbst verwendet den Namen %{name}. Wählen Sie einen anderen.',
    value_long: 'Verwenden Sie höchstens %{most} Zeichen.',
    domain: 'Geben Sie eine Domain ein, die Ihnen gehört, zum Beispiel ihre-domain.de.',
    domain_is_address:
      'Eine IP-Adresse ist keine Domain. Geben Sie eine Domain ein, die Ihnen gehört, zum Beispiel ihre-domain.de.',
    domain_is_url: 'Geben Sie nur die Domain %{domain} ein, ohne „https://“ und ohne Pfad.',
    domain_reserved:
      'Namen in der Zone %{zone} sind reserviert und zeigen nie auf einen Server im Internet. Geben Sie eine Domain ein, die Ihnen gehört.',
    domain_suffix:
      'Unter %{domain} registrieren andere ihre Namen, deshalb kann dieser Name nicht auf Ihren Server zeigen. Geben Sie eine Domain ein, die Ihnen gehört, zum Beispiel shop.%{domain}.',
    domain_unknown:
      'Es gibt keine Domains, die auf .%{zone} enden. Prüfen Sie die Schreibweise, und geben Sie eine Domain ein, die Ihnen gehört.',
    domain_of_platform: 'Namen unter %{zone} vergeben wir. Geben Sie eine Domain ein, die Ihnen gehört.',
    platform_domain_full:
      'Wir können Ihrem Deployment gerade keinen Namen unter %{zone} geben, weil die Zertifizierungsstelle ihre Zahl begrenzt. Geben Sie eine Domain ein, die Ihnen gehört.',
    contact_reserved:
      '%{domain} kann keine E-Mails empfangen, deshalb lehnen Zertifizierungsstellen diese Adresse ab. Geben Sie eine Adresse ein, die Sie lesen.',
    host_label: 'Verwenden Sie Kleinbuchstaben, Ziffern und Bindestriche, zum Beispiel admin.',
    key: 'Kopieren Sie den Schlüssel genau so, wie Sie ihn erhalten haben: Buchstaben, Ziffern und . _ ~ + / = : @ - ohne Leerzeichen.',
    plain_email: 'Verwenden Sie eine E-Mail-Adresse nur aus Buchstaben, Ziffern und . _ % + -',
    admin_is_email: 'Bei diesem Paket ist der Admin-Benutzername die E-Mail-Adresse, mit der Sie sich anmelden.',
    admin_is_name:
      'Verwenden Sie 3 bis 255 Buchstaben, Ziffern, Leerzeichen, Unter- und Bindestriche. Verwenden Sie keine E-Mail-Adresse.',
    password_length: 'Verwenden Sie 12 bis 64 Zeichen.',
    password_characters:
      'Verwenden Sie keine Leerzeichen, Anführungszeichen, umgekehrten Schrägstriche, Gravis, $ oder Buchstaben mit Akzenten.',
    password_classes: 'Verwenden Sie Groß- und Kleinbuchstaben, eine Ziffer und eines von # ? ! @ % ^ & * -',
    passkey: 'Verwenden Sie 16 bis 200 Buchstaben, Ziffern und ! # % * + . / : = ? @ [ ] ^ _ { } ~ -',
    setup_token: 'Ein Einrichtungscode hat 32 Kleinbuchstaben und Ziffern.',
    enrollment_key: 'Ein Registrierungsschlüssel hat 20 bis 40 Kleinbuchstaben und Ziffern.',
    client_name:
      'Verwenden Sie höchstens 64 Buchstaben, Ziffern, Leerzeichen, Punkte, Binde- und Unterstriche. Beginnen Sie mit einem Buchstaben oder einer Ziffer.',
    database_host: 'Verwenden Sie einen Hostnamen in Kleinbuchstaben.',
    database_user: 'Verwenden Sie höchstens 63 Buchstaben, Ziffern, Binde- und Unterstriche.',
    database_password: 'Verwenden Sie höchstens 200 Buchstaben, Ziffern und ! # % * + , . / : = ? @ [ ] ^ _ { } ~ -',
    repository: 'Verwenden Sie ein Repository wie https://github.com/owner/name.',

    ssh_key_twice: 'Dieser Schlüssel steht schon als „%{name}“ in der Liste.',
    ssh_key_unknown: 'Diesen Schlüssel gibt es nicht, oder er wurde entfernt.',
    ssh_keys_most: 'Ein Deployment kann höchstens %{most} SSH-Schlüssel haben. Entfernen Sie zuerst einen.',
    ssh_key_private:
      'Das ist ein privater Schlüssel. Behalten Sie ihn für sich, und geben Sie den öffentlichen ein (die Datei, die auf .pub endet).',
    ssh_key_lines: 'Geben Sie den öffentlichen Schlüssel in einer Zeile ein, ohne Zeilenumbrüche.',
    ssh_key_long: 'Eine Zeile mit einem öffentlichen Schlüssel darf höchstens %{most} Zeichen haben.',
    ssh_key_type: 'Beginnen Sie die Zeile mit dem Schlüsseltyp, zum Beispiel „ssh-ed25519“.',
    ssh_key_damaged: 'Der Schlüssel ist beschädigt. Kopieren Sie die ganze Zeile der .pub-Datei.',
    ssh_key_bits: 'Ein RSA-Schlüssel braucht mindestens %{bits} Bit.',
    ssh_key_comment:
      'Entfernen Sie den Kommentar hinter dem Schlüssel, oder verwenden Sie darin nur Buchstaben, Ziffern und @ . _ + : , -',

    balance_owed:
      'Das Konto schuldet %{owed} aus einer zurückgebuchten Zahlung. Laden Sie zuerst Guthaben auf, um sie zu begleichen.',
    balance_too_low:
      'Ihr Guthaben reicht nicht aus. Sie brauchen %{needed}, verfügbar sind %{available}. Laden Sie Guthaben auf, und versuchen Sie es noch einmal.',
    credit_only:
      'Nur mit Startguthaben kann ein Deployment gleichzeitig laufen, für höchstens %{hourly} pro Stunde. Laden Sie Guthaben auf, um diese Grenze aufzuheben.',
    balance_negative: 'Das reguläre Guthaben beträgt %{balance}. Übrig blieben %{left}.',
    credit_unknown: 'Diese Gutschrift gibt es nicht.',
    credit_ended: 'Diese Gutschrift ist verfallen und lässt sich nicht mehr anpassen.',
    credit_used: '%{used} dieser Gutschrift sind bereits verbraucht. Sie lässt sich nicht darunter setzen.',
    checkout_unknown: 'Diesen Bezahlvorgang gibt es nicht.',
    difference_unknown: 'Diese Abweichung gibt es nicht.',
    difference_over: 'Diese Abweichung ist nicht mehr offen.',
    card_missing: 'Es ist keine Karte gespeichert. Speichern Sie eine bei Ihrer nächsten Aufladung.',
    card_expired: 'Die gespeicherte Karte ist abgelaufen. Speichern Sie eine andere bei Ihrer nächsten Aufladung.',
    month_cap_low: 'Das Monatslimit darf nicht unter dem Betrag einer Aufladung liegen.',
    checkout_over: 'Dieser Bezahlvorgang ist beendet. Starten Sie einen neuen.',
    checkout_refused:
      'Der Zahlungsanbieter hat diesen Bezahlvorgang abgelehnt, und ein neuer Versuch hilft nicht. Bitte wenden Sie sich an unseren Support.',
    checkout_failed: 'Der Bezahlvorgang bei Stripe konnte nicht gestartet werden. Versuchen Sie es gleich noch einmal.',
    payment_unknown: 'Diese Zahlung gibt es nicht.',
    payment_not_refundable: 'Nur eine eingegangene Zahlung kann erstattet werden.',
    refund_too_high: 'Von dieser Zahlung können höchstens %{most} erstattet werden.',

    deployment_unknown: 'Dieses Deployment gibt es nicht.',
    deployment_deleted: '%{name} wurde gelöscht.',
    deployment_no_domain: 'Dieses Deployment hat keine Domain.',
    deployments_most:
      'Ein Konto kann höchstens %{most} Deployments gleichzeitig haben. Schalten Sie zuerst eines ab, oder bitten Sie uns um ein höheres Limit.',
    deployment_changed: 'Das Deployment hat sich gerade geändert. Prüfen Sie es, und versuchen Sie es erneut.',
    deployment_edge: 'Ein Deployment kann nicht von %{from} zu %{to} wechseln.',
    deployment_gone: 'Das Deployment wurde endgültig gelöscht.',
    not_lost: 'Dieses Deployment hat seinen Server nicht verloren.',
    reopen_deactivated: 'Das Konto dieses Deployments ist deaktiviert. Reaktivieren Sie es zuerst.',
    not_found_again: 'Der Anbieter führt den Server dieses Deployments noch nicht wieder auf.',
    price_while_running: 'Support-Stufe und Größe lassen sich nur ändern, solange das Deployment läuft.',
    locked_deactivation: 'Während der Abschaltung sind keine Änderungen möglich',
    locked_provisioning: 'Während der Einrichtung sind keine Änderungen möglich',
    not_now: 'Das ist gerade nicht möglich.',
    not_restarted: 'Ein Deployment mit dem Status „%{status}“ kann nicht neu gestartet werden.',
    not_validated: 'Für ein Deployment mit dem Status „%{status}“ kann das DNS nicht erneut geprüft werden.',
    not_moved: 'Für ein Deployment mit dem Status „%{status}“ lässt sich die Support-Stufe nicht ändern.',
    not_deleted: 'Ein Deployment mit dem Status „%{status}“ kann nicht gelöscht werden.',
    not_deactivated: 'Ein Deployment mit dem Status „%{status}“ kann nicht abgeschaltet werden.',
    not_cancelled: 'Ein Deployment mit dem Status „%{status}“ kann nicht abgebrochen werden.',
    domains_not_managed:
      'Die weiteren Domains eines Deployments mit dem Status „%{status}“ können nicht geändert werden.',
    not_restored: 'Ein Deployment mit dem Status „%{status}“ kann nicht wiederhergestellt werden.',
    restored_too_late:
      'Die Entfernung hat schon begonnen, daher ist eine Wiederherstellung nicht mehr möglich. Gibt es Sicherungen, können Sie daraus ein neues Deployment erstellen.',
    domain_not_changed: 'Die Domain eines Deployments mit dem Status „%{status}“ kann nicht geändert werden.',
    not_handed_over: 'Ein Deployment mit dem Status „%{status}“ kann nicht übergeben werden.',
    hand_over_own_only: 'Nur Deployments auf Ihrem eigenen Server können übergeben werden.',
    keys_not_changed: 'Die SSH-Schlüssel eines Deployments mit dem Status „%{status}“ können nicht geändert werden.',
    deletion_locked: 'Die Löschsperre dieses Deployments ist aktiv. Schalten Sie sie zuerst aus.',
    name_length: 'Verwenden Sie 1 bis %{most} Zeichen.',
    name_characters: 'Entfernen Sie Zeilenumbrüche und andere unsichtbare Zeichen.',
    domain_same: 'Das Deployment hat diese Domain bereits.',
    locked_too_late: 'Dieses Deployment wird gerade entfernt und kann nicht mehr gesperrt werden.',
    cancelling: 'Dieses Deployment wird gerade abgebrochen.',
    price_changed: 'Der Preis hat sich von %{before} auf %{now} USD pro Stunde geändert. Es wurde nichts bestellt.',
    not_sold_out: 'Dieses Deployment ist nicht an seiner Größe oder Region gescheitert.',
    ending_dismissed: 'Ausgeblendet.',
    order_key_reused:
      'Dieser Idempotency-Key wurde bereits für eine andere Anfrage verwendet. Verwenden Sie einen neuen.',
  },
  server_check: {
    looking: 'Wir prüfen Ihren Server noch. Versuchen Sie es gleich noch einmal.',
    passed: 'Ihr Server ist erreichbar und kann verwendet werden.',
    usable: 'Ihr Server kann verwendet werden.',
    unusable: 'Ihr Server kann nicht verwendet werden.',
    unclear: 'Der Server konnte nicht geprüft werden. Bitte versuchen Sie es noch einmal.',
    unreachable:
      'Wir konnten Port %{port} auf %{address} nicht erreichen. Prüfen Sie die Adresse und die Firewall Ihres Anbieters.',
    too_slow:
      'Wir konnten Port %{port} auf %{address} nicht rechtzeitig erreichen. Prüfen Sie die Adresse und die Firewall Ihres Anbieters.',
    lost: 'Die Verbindung zum Server ist abgebrochen. Bitte versuchen Sie es noch einmal.',
    interrupted: 'Die Prüfung wurde unterbrochen. Bitte versuchen Sie es noch einmal.',
    no_ssh: 'Auf Port %{port} antwortet kein unterstützter SSH-Server. Prüfen Sie die Adresse und den Port von sshd.',
    no_key_exchange:
      'Der SSH-Server bietet keinen unterstützten Schlüsselaustausch an. Fügen Sie in seiner sshd_config %{ours} zu KexAlgorithms hinzu, laden Sie sshd neu, und versuchen Sie es noch einmal.',
    no_host_key_type:
      'Der SSH-Server bietet keinen unterstützten Typ von Host-Key an. Führen Sie dort sudo ssh-keygen -A aus, fügen Sie in seiner sshd_config %{ours} zu HostKeyAlgorithms hinzu, falls es diese Zeile gibt, laden Sie sshd neu, und versuchen Sie es noch einmal.',
    no_cipher:
      'Der SSH-Server bietet keine unterstützte Verschlüsselung an. Fügen Sie in seiner sshd_config %{ours} zu Ciphers hinzu, laden Sie sshd neu, und versuchen Sie es noch einmal.',
    no_mac:
      'Der SSH-Server bietet kein unterstütztes MAC-Verfahren an. Fügen Sie in seiner sshd_config %{ours} zu MACs hinzu, laden Sie sshd neu, und versuchen Sie es noch einmal.',
    key_refused:
      'Der Server hat unseren Schlüssel für root abgelehnt. Führen Sie das auf dieser Seite gezeigte Skript auf dem Server aus. Wenn Sie das bereits getan haben, sperrt vielleicht seine sshd_config root aus: Setzen Sie PermitRootLogin auf prohibit-password, nehmen Sie root in AllowUsers und AllowGroups auf, falls es diese Zeilen gibt, und entfernen Sie root aus DenyUsers und DenyGroups. /root/.ssh/authorized_keys muss root gehören, und kein anderer Benutzer darf hineinschreiben. Laden Sie sshd neu, und versuchen Sie es noch einmal.',
    key_alone:
      'Der Server akzeptiert unseren Schlüssel, verlangt aber zusätzlich %{methods}. Das können wir nicht liefern. Fügen Sie am Ende seiner sshd_config die Zeilen „Match User root“ und „AuthenticationMethods publickey“ an, laden Sie sshd neu, und versuchen Sie es noch einmal.',
    no_keys:
      'Der Server lässt keine Anmeldung von root mit einem Schlüssel zu. Setzen Sie in seiner sshd_config PubkeyAuthentication auf yes und, falls es diese Zeile gibt, AuthenticationMethods für root auf publickey. Laden Sie sshd neu, und versuchen Sie es noch einmal.',
    odd_answer:
      'Unsere Prüfung lief auf dem Server nicht. Er hat geantwortet: %{words}. Wenn die Anmeldung von root an einen Befehl gebunden ist, entfernen Sie ihn: command="..." vor unserem Schlüssel in /root/.ssh/authorized_keys oder ForceCommand in der sshd_config. Versuchen Sie es dann noch einmal.',
    host_key_changed:
      'Die Identität des Servers hat sich seit der letzten Prüfung geändert. Wenn Sie ihn neu installiert haben, prüfen Sie ihn noch einmal, um die neue Identität zu akzeptieren.',
    host_key_confirmed:
      'Sie haben die neue Identität dieses Servers bestätigt. Sein Deployment akzeptiert sie ab jetzt.',
    files:
      'Wir können auf dem Server keine Dateien schreiben. Seine Festplatte ist vielleicht voll oder schreibgeschützt.',
    answers: 'Der Server antwortet auf Port %{port}.',
    key_taken: 'Der Server akzeptiert unseren Schlüssel.',
    free: 'Auf ihm läuft kein anderes Deployment.',
    the_package: 'Das Paket',
    unfit: 'Dieser Server erfüllt die Anforderungen des Pakets nicht.',

    root: 'Wir brauchen root oder sudo.',
    user_name: 'Geben Sie den Namen eines Benutzers auf dem Server ein, höchstens %{most} Zeichen.',
    sudo_password_line: 'Geben Sie ein Passwort mit 1 bis %{most} Zeichen in einer Zeile ein.',
    user_key_refused:
      'Der Server hat unseren Schlüssel für den Benutzer %{user} abgelehnt. Führen Sie das auf dieser Seite gezeigte Skript auf dem Server aus. Wenn Sie das bereits getan haben, sperrt vielleicht seine sshd_config den Benutzer aus: Prüfen Sie AllowUsers, AllowGroups, DenyUsers und DenyGroups, und versuchen Sie es noch einmal.',
    sudo_password_needed:
      'sudo fragt den Benutzer %{user} nach einem Passwort. Geben Sie es hier ein, oder erlauben Sie sudo ohne Passwort.',
    sudo_password_wrong: 'sudo hat das Passwort des Benutzers %{user} abgelehnt.',
    sudo_not_allowed:
      'Der Benutzer %{user} darf mit sudo nicht alle Befehle ausführen. Nehmen Sie ihn in die Gruppe sudo auf.',
    sudo_tty: 'sudo verlangt für den Benutzer %{user} ein Terminal. Entfernen Sie requiretty aus der sudoers-Datei.',
    sudo_missing: 'sudo ist auf dem Server nicht installiert.',
    os: 'Ubuntu 22.04/24.04 oder Debian 12 ist erforderlich; gefunden: %{found}.',
    arch: 'Nicht unterstützter Prozessor: %{found}.',
    virtualisation: 'Dieser Server ist ein Container (%{found}). Manche Kernel-Funktionen fehlen möglicherweise.',
    wireguard: 'Dieser Kernel hat kein WireGuard.',
    cpu: '%{package} braucht %{wanted} Prozessoren; gefunden: %{found}.',
    memory: '%{package} braucht %{wanted} MB Arbeitsspeicher; gefunden: %{found} MB.',
    disk: '%{package} braucht %{wanted} GB freien Plattenplatz; gefunden: %{found} GB.',
    port_container:
      'Port %{rule} wird von einem anderen Container verwendet. Halten Sie ihn zuerst an („sudo docker ps“ zeigt, welcher es ist).',
    port: 'Port %{rule} wird von %{program} verwendet. Halten Sie es zuerst an (z. B. sudo systemctl disable --now %{program}).',
    docker_snap: 'Docker aus snap wird nicht unterstützt.',
    docker_silent: 'Docker ist installiert, antwortet aber nicht. Starten Sie es zuerst.',
    docker_old: 'Docker %{found} ist zu alt. Erforderlich ist %{wanted} oder neuer.',
    compose_missing: 'Das Docker-Compose-Plugin fehlt (Paket docker-compose-plugin).',
    compose_old: 'Docker Compose %{found} ist zu alt. Erforderlich ist %{wanted} oder neuer.',
    names: 'Ein Container namens %{found} existiert bereits. Entfernen Sie ihn zuerst, oder benennen Sie ihn um.',
    folder:
      '%{found} existiert bereits: Die Software ist offenbar schon installiert. Entfernen oder verschieben Sie den Ordner zuerst.',
    root_login:
      '%{package} verwaltet seinen eigenen Server und meldet sich dort mit einem Schlüssel als root an; das erlaubt sshd nicht. Setzen Sie in sshd_config PermitRootLogin auf prohibit-password und PubkeyAuthentication auf yes, laden Sie sshd neu und versuchen Sie es noch einmal.',
    root_login_unknown:
      'Wir konnten nicht feststellen, ob sshd eine Anmeldung von root mit einem Schlüssel zulässt. Die Software braucht das.',
    systemd: 'systemd läuft nicht. Nach einem Neustart müssen Sie die Container möglicherweise von Hand starten.',
    time: 'Die Uhr geht um %{found} Sekunden falsch. Zertifikate würden abgelehnt.',
    outbound: 'Der Server erreicht %{found} nicht.',
    firewall: '%{found} ist aktiv. Wir fügen Regeln für die Ports Ihres Pakets hinzu.',
    selinux: 'SELinux erzwingt seine Regeln. Containern kann der Zugriff auf Dateien verwehrt werden.',
    fail2ban: 'fail2ban läuft. Lassen Sie unsere Adresse zu, falls es uns sperrt.',
    reboot: 'Der Server muss neu gestartet werden.',
    apt: 'Die Paketverwaltung ist beschäftigt.',
  },
  step: {
    create_server: 'Der Server konnte beim Anbieter nicht erstellt werden.',
    wait_for_ssh: 'Der Server wurde nicht erreichbar.',
    preflight: 'Der Server konnte nicht geprüft werden.',
    bootstrap: 'Der Server konnte nicht vorbereitet werden.',
    upload_stack: 'Die Dateien konnten nicht auf den Server übertragen werden.',
    start_stack: 'Die Software konnte nicht gestartet werden.',
    restart_stack: 'Die Software konnte nicht neu gestartet werden.',
    check_health: 'Die Software wurde nicht betriebsbereit.',
    validate_dns: 'Die DNS-Einträge konnten nicht geprüft werden.',
    issue_certificate: 'Es wurde kein Zertifikat ausgestellt.',
    finish: 'Das Deployment konnte nicht abgeschlossen werden.',
    remove_stack: 'Die Software konnte noch nicht vom Server entfernt werden.',
    hand_over: 'Der Server konnte noch nicht übergeben werden.',
    delete_server: 'Der Server konnte beim Anbieter noch nicht gelöscht werden.',
    confirm: 'Der Anbieter hat die Entfernung noch nicht bestätigt.',
    back_up: 'Die aktuellen Daten konnten nicht gesichert werden.',
    back_up_source: 'Die Daten des alten Servers konnten nicht gesichert werden.',
    restore_data: 'Die Sicherung konnte nicht wiederhergestellt werden.',
    swap_data: 'Der Wechsel zu den wiederhergestellten Daten ist fehlgeschlagen.',
    swap_back: 'Die vorherigen Daten konnten nicht zurückgeholt werden.',
    resize_server: 'Der Anbieter hat die Größe des Servers nicht geändert.',
    start_server: 'Der Anbieter hat den Server nicht gestartet.',
    keep_server: 'Der Server konnte nicht angehalten werden.',
    ssh_keys: 'Die SSH-Schlüssel konnten auf dem Server nicht geändert werden.',
    pull_images: 'Die Images der neuen Version konnten nicht auf den Server geladen werden.',
    keep_data: 'Die Daten konnten vor der Aktualisierung nicht kopiert werden.',
    put_back_data: 'Die Daten von vor der Aktualisierung konnten nicht zurückgeholt werden.',
    tidy_update: 'Die Kopie der Daten von vor der Aktualisierung konnte nicht entfernt werden.',
    reboot_server: 'Der Server kam nach dem Neustart nicht wieder.',
    set_records: 'Die DNS-Einträge konnten nicht gesetzt werden.',
    remove_records: 'Die DNS-Einträge konnten noch nicht entfernt werden.',
    name_server: 'Der Nameserver nimmt die DNS-Einträge gerade nicht an.',
    records_later: 'Der Nameserver antwortet nicht richtig. Wir setzen die DNS-Einträge, sobald er es wieder tut.',
    server_kept: 'Alles ist angehalten. Der Server bleibt erhalten, solange sich das Löschen rückgängig machen lässt.',
    gave_up: 'Wir haben es bis zum Zeitlimit versucht und dann aufgegeben.',
    slow: 'Das dauert länger als gewöhnlich. Wir arbeiten noch daran.',

    creating: 'Der Anbieter erstellt den Server.',
    server_stopped: 'Der Anbieter hat den Server angehalten. Wir warten, bis er wieder läuft.',
    resizing: 'Der Anbieter ändert die Größe des Servers. Dazu ist der Server angehalten.',
    resizing_back: 'Der Server startet wieder in seiner bisherigen Größe.',
    queue: 'Der Anbieter begrenzt, wie viele Server wir gleichzeitig erstellen dürfen. Dieser ist gleich an der Reihe.',
    address: 'Der Server hat die Adresse %{address}.',
    starting: 'Der Server startet.',
    rebooting: 'Der Server startet neu.',
    packages_busy: 'Der Server installiert gerade Aktualisierungen. Danach startet er neu.',
    software_starting: 'Die Software startet.',
    software_waits_for: 'Die Software startet. Noch nicht bereit: %{parts}.',
    software_stopped: 'Ein Teil der Software läuft nicht mehr: %{parts}.',
    removing: 'Der Anbieter entfernt den Server.',
    removal_unconfirmed: 'Der Anbieter führt unsere Server gerade nicht auf. Wir prüfen weiter.',
    removal_refused:
      'Der Anbieter lehnt unsere Anfragen gerade ab. Der Server wird entfernt, sobald er sie wieder annimmt.',
    removed_whole: 'Der Server hat nicht geantwortet und wird deshalb als Ganzes gelöscht.',
    left_behind:
      'Ihr Server war 24 Stunden lang nicht erreichbar, deshalb konnten wir ihn nicht aufräumen. Möglicherweise noch vorhanden: unsere Container und ihre Volumes (moorage-%{ref}), die Ordner /opt/moorage/%{ref} und /var/lib/moorage/%{ref} und unsere Zeile in authorized_keys.',
    access_left_behind:
      'Ihr Server war 24 Stunden lang nicht erreichbar, deshalb konnten wir unseren Zugriff nicht entfernen. Ihre Software ist unverändert. Löschen Sie den Ordner /var/lib/moorage/%{ref} und in authorized_keys die Zeile, die mit %{line} endet.',
    server_lost:
      'Beim Anbieter gibt es diesen Server nicht mehr. Er ging ohne unser Zutun verloren, und es wird nichts mehr berechnet.',

    cloud_unconfirmed:
      'Bei diesem Anbieter können noch keine Server erstellt werden, weil ein Administrator zuerst sein Projekt bestätigen muss. Bitte wählen Sie einen anderen Anbieter.',
    cloud_auth:
      'Wir können gerade nicht auf unser Konto beim Anbieter zugreifen. Bitte wählen Sie einen anderen Anbieter, oder versuchen Sie es später noch einmal.',
    cloud_permission:
      'Der Anbieter erlaubt uns diese Servergröße in dieser Region gerade nicht. Bitte wählen Sie eine andere Größe oder Region.',
    cloud_quota:
      'Unser Konto bei diesem Anbieter hat sein Serverlimit erreicht. Bitte wählen Sie einen anderen Anbieter, oder versuchen Sie es später noch einmal.',
    cloud_capacity:
      'Diese Servergröße ist in dieser Region ausverkauft. Bitte wählen Sie eine andere Größe oder Region.',
    cloud_capacity_now:
      'Der Anbieter hat für diesen Server gerade keine freie Kapazität. Versuchen Sie es später noch einmal, oder ändern Sie seine Größe.',
    cloud_not_found: 'Der Anbieter bietet diese Region, Größe oder dieses Image nicht mehr an. Bitte wählen Sie neu.',
    cloud_invalid: 'Der Anbieter bietet diese Größe in dieser Region nicht an. Bitte wählen Sie neu.',
    cloud_conflict: 'Der Anbieter ist mit diesem Server noch beschäftigt.',
    cloud_transient: 'Beim Anbieter gibt es gerade ein Problem. Wir versuchen es weiter.',
    cloud_unknown: 'Dieser Cloud-Anbieter ist unbekannt.',
    cloud_lost: 'Der Server ging beim Anbieter verloren, während er erstellt wurde.',
    cloud_twice: 'Ein anderer Server dieses Deployments existiert bereits.',

    ssh_unreachable: 'Der Server antwortet nicht.',
    ssh_unreachable_own: 'Ihr Server antwortet nicht. Ist er eingeschaltet, und ist Port 22 für uns offen?',
    ssh_key_refused: 'Der Server hat unseren Schlüssel abgelehnt.',
    ssh_key_refused_own:
      'Ihr Server hat unseren Schlüssel für root abgelehnt. Führen Sie das Skript dort noch einmal aus. Wenn Sie das bereits getan haben, sperrt vielleicht seine sshd_config root aus: Setzen Sie PermitRootLogin auf prohibit-password, nehmen Sie root in AllowUsers und AllowGroups auf, falls es diese Zeilen gibt, und laden Sie sshd neu.',
    ssh_host_key_changed:
      'Die Identität des Servers (sein SSH-Host-Key) hat sich geändert. Sicherheitshalber haben wir angehalten.',
    ssh_host_key_changed_own:
      'Die Identität Ihres Servers (sein SSH-Host-Key) hat sich geändert. Sicherheitshalber haben wir angehalten. Wenn Sie ihm neue Schlüssel gegeben haben, geben Sie seine Adresse bei einem neuen Deployment ein, und prüfen Sie ihn. Wir zeigen den Fingerabdruck des neuen Schlüssels zum Vergleich an. Prüfen Sie den Server noch einmal, um den Schlüssel zu bestätigen, und versuchen Sie es dann hier erneut. Sie müssen dafür nichts bestellen.',
    ssh_protocol: 'Unter der Adresse des Servers antwortet kein unterstützter SSH-Server.',
    ssh_deadline: 'Der Server hat zu lange für eine Antwort gebraucht.',
    ssh_aborted: 'Der Server hat zu lange gebraucht.',
    ssh_lost: 'Die Verbindung zum Server ist abgebrochen.',
    ssh_no_sudo: 'Wir brauchen auf dem Server root oder sudo.',
    ssh_files:
      'Der Server hat unsere Dateien nicht angenommen. Seine Festplatte ist vielleicht voll oder schreibgeschützt.',

    script_overtaken: 'Auf diesem Server läuft bereits ein neuerer Vorgang.',
    script_busy: 'Der Server ist noch mit dem vorigen Schritt beschäftigt.',
    script_silent: 'Der Server hat nicht geantwortet.',
    script_cut_off: 'Die Verbindung zum Server wurde vor der Antwort beendet.',
    script_docker_down: 'Docker antwortet auf dem Server nicht.',
    script_docker_failed: 'Docker konnte auf dem Server nicht installiert werden.',
    script_packages_failed: 'Die Pakete, die die Software braucht, konnten auf dem Server nicht installiert werden.',
    script_access_failed: 'Ihr SSH-Schlüssel konnte auf dem Server nicht hinterlegt werden.',
    script_no_stack: 'Auf dem Server fehlen die Dateien der Software.',
    script_dump_failed: 'Eine Datenbank konnte nicht kopiert werden.',
    script_swap_failed: 'Daten konnten auf dem Server nicht an ihren Platz gebracht werden.',
    script_pull_failed: 'Ein Image der Software konnte nicht auf den Server geladen werden.',
    script_not_healthy: 'Die Software wurde gestartet, ist aber nicht betriebsbereit.',
    script_parts_not_healthy: 'Die Software wurde gestartet, aber diese Teile sind nicht betriebsbereit: %{parts}.',
    script_first_step_failed: 'Die Software konnte nach ihrem ersten Start nicht eingerichtet werden.',
    script_first_step_failed_at: 'Die Software konnte nach ihrem ersten Start nicht eingerichtet werden (%{step}).',
    script_first_step_refused:
      'Die Software hat das erste Administratorkonto nicht akzeptiert. Die Domain der E-Mail-Adresse muss existieren, und das Passwort darf aus keinem Datenleck bekannt sein. Bitte bestellen Sie mit anderen Angaben noch einmal.',
    script_prepare_failed: 'Der Server konnte nicht für die Software vorbereitet werden.',
    script_router_step_failed: 'Die Adresse der Software konnte nicht eingestellt werden.',
    script_folder_taken: 'Die Software ist offenbar bereits auf diesem Server installiert.',
    script_disk_full: 'Die Festplatte des Servers ist voll.',
    script_port_taken:
      'Ein anderes Programm auf dem Server verwendet Port 80 oder 443. Halten Sie es an, und versuchen Sie es noch einmal.',
    script_host_key_failed: 'Die Identität des Servers konnte nicht erneuert werden.',
    script_reboot_failed: 'Der Server hat den Neustart nicht angenommen.',
    script_not_stopped: 'Auf dem Server ließ sich nicht alles anhalten.',
    script_left_behind: 'Einiges konnte noch nicht vom Server entfernt werden.',
    script_failed: 'Ein Befehl ist auf dem Server fehlgeschlagen.',

    server_unknown: 'Der Server ist unbekannt.',
    address_unknown: 'Die Adresse des Servers ist unbekannt.',
    identity_unknown: 'Die Adresse oder die Identität dieses Servers ist unbekannt.',
    identity_pending: 'Der Server zeigt seine neue Identität noch nicht.',
    key_missing: 'Der Schlüssel für diesen Server fehlt.',
    keys_missing: 'Die Schlüssel des Servers fehlen.',
    unchecked: 'Dieser Server wurde noch nicht geprüft.',
    order_incomplete: 'In der Bestellung fehlt die Region oder Größe.',
    value_unwritable: 'Eine Angabe dieses Deployments kann nicht in seine Konfiguration geschrieben werden.',
    package_gone: 'Dieses Paket ist nicht mehr im Katalog.',
    platform_new: 'Die Plattform ist noch nicht eingerichtet.',
  },
  dns: {
    waiting: 'Warten auf die DNS-Einträge.',
    none: 'Es gibt noch keinen %{type}-Eintrag für %{host}. Legen Sie einen %{type}-Eintrag für %{host} mit dem Wert %{value} an.',
    wrong_address:
      '%{host} zeigt auf %{addresses}, nicht auf Ihren Server. Ändern Sie das in einen %{type}-Eintrag für %{host} mit dem Wert %{value}.',
    several_addresses: '%{host} hat mehrere Adressen (%{addresses}). Behalten Sie nur %{value}.',
    cname_elsewhere:
      '%{host} ist ein Alias (CNAME) von %{cname}, und das ist nicht Ihr Server. Ersetzen Sie ihn durch einen %{type}-Eintrag für %{host} mit dem Wert %{value}.',
    cname_unknown:
      '%{host} ist ein Alias (CNAME) eines anderen Namens, und das ist nicht Ihr Server. Ersetzen Sie ihn durch einen %{type}-Eintrag für %{host} mit dem Wert %{value}.',
    aaaa_elsewhere:
      '%{host} hat einen AAAA-Eintrag (%{addresses}), der nicht auf Ihren Server zeigt. Entfernen Sie ihn.',
    proxied: '%{host} läuft über den Proxy von Cloudflare. Stellen Sie auf „DNS only“ um.',
    zone_silent: 'Die Nameserver von %{host} antworten nicht (%{error}).',
    no_answer: '%{host} konnte nicht abgefragt werden (%{error} von %{resolver}).',
    not_everywhere_one:
      'Der Eintrag für %{host} ist richtig, aber noch nicht überall sichtbar. %{resolver} liefert noch eine andere Antwort. Das kann etwas dauern.',
    not_everywhere:
      'Der Eintrag für %{host} ist richtig, aber noch nicht überall sichtbar. %{resolvers} liefern noch eine andere Antwort. Das kann etwas dauern.',
    not_right: 'Der Eintrag für %{host} ist noch nicht richtig.',
    caa_forbids:
      'Ein CAA-Eintrag von %{host} erlaubt %{authority} nicht, Zertifikate auszustellen. Fügen Sie einen hinzu, der das tut, oder entfernen Sie ihn.',
    caa_unreadable:
      'Ein CAA-Eintrag von %{name} hat keinen Wert oder ist nicht lesbar. Ohne Wert darf keine Stelle Zertifikate ausstellen. Entfernen Sie ihn, oder ersetzen Sie ihn durch einen, der %{authority} erlaubt.',
    caa_method:
      'Ein CAA-Eintrag von %{name} erlaubt %{authority} Zertifikate nur mit einem anderen Prüfverfahren. Ergänzen Sie %{method} in seinen validationmethods, oder entfernen Sie diese.',
    caa_account:
      'Ein CAA-Eintrag von %{name} erlaubt %{authority} Zertifikate nur für ein anderes Konto. Entfernen Sie accounturi daraus, oder fügen Sie einen Eintrag ohne accounturi hinzu.',
    caa_critical:
      'Ein kritischer CAA-Eintrag von %{name} hat die Eigenschaft „%{tag}“, die keine Zertifizierungsstelle kennt. Deshalb stellt keine ein Zertifikat aus. Entfernen Sie diesen Eintrag.',
    caa_unanswered:
      'Die CAA-Einträge von %{name} konnten nicht abgefragt werden (%{error}), und ohne Antwort wird kein Zertifikat ausgestellt. Prüfen Sie bei Ihrem DNS-Anbieter, ob alle Nameserver der Domain antworten, auch auf Abfragen nach CAA-Einträgen, die es nicht gibt.',
  },
  certificate: {
    asking: 'Der Router beantragt ein Zertifikat.',
    authority_says: 'Die Zertifizierungsstelle meldet: %{words}',
    none_good: 'Für %{host} gibt es noch kein gültiges Zertifikat.',
    unreachable: '%{host} antwortet nicht auf Port 443. Prüfen Sie die Firewall Ihres Anbieters.',
    not_issued: 'Für %{host} wurde noch kein Zertifikat ausgestellt.',
    wrong_issuer: 'Das Zertifikat von %{host} stammt von einer anderen Stelle als erwartet (%{issuer}).',
    staging: 'Das Zertifikat von %{host} stammt von einer Teststelle, der Browser nicht vertrauen.',
    wrong_name: 'Das Zertifikat von %{host} gilt für einen anderen Namen.',
    expired: 'Das Zertifikat von %{host} ist abgelaufen.',
    expires_soon: 'Das Zertifikat von %{host} läuft in weniger als 20 Tagen ab und wurde nicht erneuert.',
    refused_connection:
      'Die Zertifizierungsstelle konnte %{host} auf Port 80 nicht erreichen. Prüfen Sie die Firewalls Ihres Anbieters und Ihres Servers.',
    refused_dns:
      'Die Zertifizierungsstelle konnte %{host} nicht abfragen. Prüfen Sie bei Ihrem DNS-Anbieter, ob alle Nameserver der Domain antworten.',
    refused_unauthorized:
      'Die Zertifizierungsstelle hat unter %{host} einen anderen Server erreicht. Entfernen Sie alle A- und AAAA-Einträge des Namens, die nicht auf Ihren Server zeigen.',
    refused_caa:
      'Ein CAA-Eintrag erlaubt der Zertifizierungsstelle kein Zertifikat für %{host}. Ändern oder entfernen Sie diesen Eintrag.',
    refused_rate:
      'Die Zertifizierungsstelle hat zu viele Anfragen für %{host} erhalten und stellt vorerst kein Zertifikat aus. Warten Sie, bevor Sie es erneut versuchen.',
    refused_identifier:
      'Die Zertifizierungsstelle stellt für den Namen %{host} kein Zertifikat aus. Verwenden Sie eine andere Domain.',
    refused_server:
      'Die Zertifizierungsstelle hat eine Störung und hat für %{host} kein Zertifikat ausgestellt. Versuchen Sie es später erneut.',
    refused_other: 'Die Zertifizierungsstelle hat für %{host} kein Zertifikat ausgestellt.',
    page_silent: '%{url} antwortet nicht.',
    page_wrong: '%{url} antwortet mit %{answer}. So antwortet keine laufende Anwendung.',
    page_otherwise: '%{url} antwortet nicht so, wie es sollte.',
  },
};
