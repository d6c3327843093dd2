import '@fontsource-variable/geist-mono/wght.css';
import { lazy } from 'react';
import { Admin, CustomRoutes, Resource } from 'react-admin';
import { BrowserRouter, Route } from 'react-router-dom';
import '../ui/console.css';
import { authProvider } from '../data/auth-provider';
import { dataProvider } from '../data/data-provider';
import { useConsoleI18n } from '../texts/console-i18n';
import { useTheme } from '../ui/theme';
import { ConsoleLayout } from './layout/console-layout';
import { LeaveConsole } from './leave-console';
import { darkTheme, lightTheme } from './theme';
import { queryClient } from '../data/query-client';

const DashboardPage = lazy(() => import('../deployments/dashboard-page'));
const WizardPage = lazy(() => import('../wizard/wizard-page'));
const BillingPage = lazy(() => import('../billing/billing-page'));
const MailboxList = lazy(() => import('../mailbox/mailbox-list'));
const MailboxShow = lazy(() => import('../mailbox/mailbox-show'));
const DeploymentList = lazy(() => import('../administration/deployment-list'));
const DeploymentShow = lazy(() => import('../administration/deployment-show'));
const UserList = lazy(() => import('../administration/user-list'));
const UserShow = lazy(() => import('../administration/user-show'));

/** The signed-in side: react-admin with our layout, on the specification's addresses. */
export default function Console() {
  const { dark } = useTheme();
  const i18nProvider = useConsoleI18n();
  if (i18nProvider === null) return null;
  return (
    <BrowserRouter>
      <Admin
        authProvider={authProvider}
        dataProvider={dataProvider}
        i18nProvider={i18nProvider}
        queryClient={queryClient}
        layout={ConsoleLayout}
        theme={dark ? darkTheme : lightTheme}
        darkTheme={null}
        loginPage={false}
        catchAll={LeaveConsole}
        requireAuth
        disableTelemetry
      >
        <Resource name="deployments" list={DeploymentList} show={DeploymentShow} recordRepresentation="client_name" />
        <Resource name="users" list={UserList} show={UserShow} recordRepresentation="username" />
        <Resource name="mailbox" list={MailboxList} show={MailboxShow} recordRepresentation="subject" />
        <CustomRoutes>
          <Route path="/dashboard" element={<DashboardPage />} />
          <Route path="/create-deployment" element={<WizardPage />} />
          <Route path="/billing" element={<BillingPage />} />
        </CustomRoutes>
      </Admin>
    </BrowserRouter>
  );
}
