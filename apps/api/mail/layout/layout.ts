// generated from layout.mjml by scripts/mail-layout.mjs, sha256 98a55e67de81f0ddd053e6abedd7daf82b6289cc11f747f676842e1c3891997b

export const page = `<!doctype html>
<html lang="%{lang}" dir="auto" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<title>%{subject}</title>
<!--[if !mso]><!-->
<meta http-equiv="X-UA-Compatible" content="IE=edge">
<!--<![endif]-->
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style type="text/css">
#outlook a { padding:0; }
body { margin:0;padding:0;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%; }
table, td { border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt; }
img { border:0;height:auto;line-height:100%; outline:none;text-decoration:none;-ms-interpolation-mode:bicubic; }
p { display:block;margin:13px 0; }
</style>
<!--[if mso]>
<noscript>
<xml>
<o:OfficeDocumentSettings>
<o:AllowPNG/>
<o:PixelsPerInch>96</o:PixelsPerInch>
</o:OfficeDocumentSettings>
</xml>
</noscript>
<![endif]-->
<!--[if lte mso 11]>
<style type="text/css">
.mj-outlook-group-fix { width:100% !important; }
</style>
<![endif]-->
<style type="text/css">
@media only screen and (min-width:480px) {
.mj-column-per-100 { width:100% !important; max-width: 100%; }
}
</style>
<style media="screen and (min-width:480px)">
.moz-text-html .mj-column-per-100 { width:100% !important; max-width: 100%; }
</style>
<style type="text/css">
:root {
color-scheme: light dark;
supported-color-schemes: light dark;
}
.title div,
.text div,
.small div,
.foot div {
overflow-wrap: anywhere;
}
.link a,
.foot a {
color: #0a5a6c;
}
.small a {
color: #596b74;
}
.title h1 {
margin: 0;
font: inherit;
}
@media (max-width: 640px) {
.paper > div {
padding: 0 12px;
}
}
@media (max-width: 480px) {
.card > table > tbody > tr > td {
padding: 24px 20px 8px !important;
}
.around > table > tbody > tr > td {
padding-left: 21px !important;
padding-right: 21px !important;
}
}
@media (prefers-color-scheme: dark) {
.paper,
.paper > div {
background-color: #0a1418 !important;
}
.card,
.card > table {
background-color: #101c21 !important;
}
.card > table > tbody > tr > td {
border-color: #22333a !important;
}
.brand div,
.title div,
.text div,
.link div {
color: #e7eef0 !important;
}
.small div,
.small a,
.foot div {
color: #8fa2aa !important;
}
.link a,
.foot a {
color: #62c1d0 !important;
}
.button td {
background-color: #62c1d0 !important;
}
.button a {
background-color: #62c1d0 !important;
color: #04212a !important;
}
}
</style>
<meta name="color-scheme" content="light dark" /> <meta name="supported-color-schemes" content="light dark" />
</head>
<body  class="paper" style="word-spacing:normal;background-color:#F7F6F2;">
<div style="display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;">%{preheader}</div>
<div
aria-label="%{subject}" aria-roledescription="email" role="article" lang="%{lang}" dir="auto" style="word-spacing:normal;background-color:#F7F6F2;"
>
<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" class="around-outlook" role="presentation" style="width:600px;" width="600" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div  class="around" style="margin:0px auto;max-width:600px;">
<table
align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;"
>
<tbody>
<tr>
<td
style="direction:ltr;font-size:0px;padding:32px 33px 16px;text-align:center;"
>
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:534px;" ><![endif]-->
<div
class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:ltr;display:inline-block;vertical-align:top;width:100%;"
>
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" width="100%"
>
<tbody>
<tr>
<td  style="vertical-align:top;padding:0;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="" width="100%"
>
<tbody>
<tr>
<td
align="left" class="brand" style="font-size:0px;padding:0;word-break:break-word;"
>
<div
style="font-family:'Hanken Grotesk', -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:18px;font-weight:700;line-height:26px;text-align:left;color:#0F2630;"
>%{brand}</div>
</td>
</tr>
</tbody>
</table>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><table align="center" border="0" cellpadding="0" cellspacing="0" class="card-outlook" role="presentation" style="width:600px;" width="600" bgcolor="#FFFFFF" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div  class="card" style="background:#FFFFFF;background-color:#FFFFFF;margin:0px auto;max-width:600px;border-radius:12px;overflow:hidden;">
<table
align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="background:#FFFFFF;background-color:#FFFFFF;width:100%;border-collapse:separate;"
>
<tbody>
<tr>
<td
style="border:1px solid #E2E1D9;border-radius:12px;direction:ltr;font-size:0px;padding:32px 32px 16px;text-align:center;"
>
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:534px;" ><![endif]-->
<div
class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:ltr;display:inline-block;vertical-align:top;width:100%;"
>
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" width="100%"
>
<tbody>
<tr>
<td  style="vertical-align:top;padding:0;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="" width="100%"
>
<tbody>
<tr>
<td
align="left" class="title" style="font-size:0px;padding:0 0 20px;word-break:break-word;"
>
<div
style="font-family:'Hanken Grotesk', -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:22px;font-weight:700;line-height:28px;text-align:left;color:#0F2630;"
><h1>%{subject}</h1></div>
</td>
</tr>
%{parts}
</tbody>
</table>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><table align="center" border="0" cellpadding="0" cellspacing="0" class="around-outlook" role="presentation" style="width:600px;" width="600" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div  class="around" style="margin:0px auto;max-width:600px;">
<table
align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;"
>
<tbody>
<tr>
<td
style="direction:ltr;font-size:0px;padding:24px 33px 32px;text-align:center;"
>
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:534px;" ><![endif]-->
<div
class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:ltr;display:inline-block;vertical-align:top;width:100%;"
>
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" width="100%"
>
<tbody>
<tr>
<td  style="vertical-align:top;padding:0;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="" width="100%"
>
<tbody>
%{notes}
</tbody>
</table>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</div>
</body>
</html>`;

export const paragraph = `<tr>
<td
align="left" class="text" style="font-size:0px;padding:0 0 16px;word-break:break-word;"
>
<div
style="font-family:'Hanken Grotesk', -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:16px;line-height:24px;text-align:left;color:#0F2630;"
>%{text}</div>
</td>
</tr>`;

export const button = `<tr>
<td
align="left" class="button" style="font-size:0px;padding:4px 0 20px;word-break:break-word;"
>
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:separate;line-height:100%;"
>
<tbody>
<tr>
<td
align="center" bgcolor="#0A5A6C" role="presentation" style="border:none;border-radius:7px;cursor:auto;mso-padding-alt:10px 20px;background:#0A5A6C;" valign="middle"
>
<a
href="%{url}" style="display:inline-block;background:#0A5A6C;color:#FFFFFF;font-family:'Hanken Grotesk', -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:16px;font-weight:600;line-height:24px;margin:0;text-decoration:none;text-transform:none;padding:10px 20px;mso-padding-alt:0px;border-radius:7px;" target="_blank"
>
%{label}
</a>
</td>
</tr>
</tbody>
</table>
</td>
</tr>`;

export const link = `<tr>
<td
align="left" class="text link" style="font-size:0px;padding:0 0 16px;word-break:break-word;"
>
<div
style="font-family:'Hanken Grotesk', -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:16px;line-height:24px;text-align:left;color:#0F2630;"
><a href="%{url}">%{label}</a></div>
</td>
</tr>`;

export const address = `<tr>
<td
align="left" class="small" style="font-size:0px;padding:0 0 16px;word-break:break-word;"
>
<div
style="font-family:'Hanken Grotesk', -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:13px;line-height:20px;text-align:left;color:#596B74;"
>%{text}<br /><a href="%{url}">%{url}</a></div>
</td>
</tr>`;

export const note = `<tr>
<td
align="left" class="foot" style="font-size:0px;padding:0 0 8px;word-break:break-word;"
>
<div
style="font-family:'Hanken Grotesk', -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:13px;line-height:20px;text-align:left;color:#596B74;"
>%{text}<br /><a href="%{url}">%{label}</a></div>
</td>
</tr>`;
