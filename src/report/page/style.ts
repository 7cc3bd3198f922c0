/** The style sheet of the pages. Colours have a shape or a word beside them, and a contrast of 4.5:1 in both schemes. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--panel:#f6f7f8;--line:#d9dde1;--edge:#868e96;--text:#1b1f23;--quiet:#57606a;--accent:#0b57d0;--good:#18703a;--attention:#8a5300;--wrong:#b3261e;--doubt:#6b3fa0;--mark:#fde9e7}
@media screen and (prefers-color-scheme:dark){:root{--ground:#14171a;--panel:#1d2125;--line:#363c42;--edge:#727a82;--text:#e6e8ea;--quiet:#a3abb3;--accent:#8ab4f8;--good:#6fcf8f;--attention:#f0b352;--wrong:#ff9a91;--doubt:#c9a5f7;--mark:#46211f}}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--ground);color:var(--text)}
body{margin:0 auto;padding:32px 16px 64px;max-width:1100px}
h1{font-size:26px;line-height:1.25;margin:0 0 16px;font-weight:600;text-wrap:balance}
h2{font-size:18px;margin:40px 0 8px;font-weight:600}
h3{font-size:16px;margin:0;font-weight:600}
p{margin:8px 0;max-width:76ch}
a{color:var(--accent)}
.quiet{color:var(--quiet)}
.small{font-size:14px}
.banner{border:1px solid var(--attention);border-left-width:6px;border-radius:4px;padding:12px 16px;margin:16px 0}
.bar{display:block;width:100%;height:16px;border-radius:4px;overflow:hidden;background:var(--panel)}
.good{fill:var(--good)}.plain{fill:var(--quiet)}.attention{fill:var(--attention)}.wrong{fill:var(--wrong)}.doubt{fill:var(--doubt)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 24px;margin:12px 0;padding:0}
.legend svg,.shape{width:12px;height:12px;vertical-align:-1px;margin-right:6px}
.legend b,td.number{font-variant-numeric:tabular-nums}
dl.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 24px;margin:8px 0;font-size:14px}
dl.facts dt{color:var(--quiet)}dl.facts dd{margin:0;overflow-wrap:anywhere}
ol.steps{margin:8px 0;padding-left:24px}ol.steps li{margin:8px 0}
.command{display:flex;align-items:flex-start;gap:8px;margin:4px 0}
.command code{display:block;background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:6px 10px;white-space:pre-wrap;overflow-wrap:anywhere;min-width:0}
code,.mono{font:14px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
button{font:inherit;font-size:14px;color:var(--text);background:var(--ground);border:1px solid var(--edge);border-radius:4px;padding:5px 12px;min-height:34px;cursor:pointer}
input,select{font:inherit;font-size:14px;color:var(--text);background:var(--ground);border:1px solid var(--edge);border-radius:4px;padding:5px 8px;min-height:34px;max-width:100%}
:is(button,input,select,summary,a,.scroll):focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.cause{border:1px solid var(--line);border-radius:6px;margin:12px 0;padding:12px 16px}
.cause tr:last-child,.cause tr:last-child td{border-bottom:0}
.cause header{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:baseline}
.names{list-style:none;display:flex;flex-wrap:wrap;gap:4px 8px;margin:8px 0;padding:0;font-size:14px}.names li{background:var(--panel);border-radius:4px;padding:1px 8px;overflow-wrap:anywhere;min-width:0}
.scroll{overflow-x:auto;margin:8px 0}
table{border-collapse:collapse;width:100%;font-size:14px}
th{text-align:left;font-weight:600;color:var(--quiet);padding:6px 12px 6px 0;border-bottom:1px solid var(--line);white-space:nowrap;vertical-align:bottom}
td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
td.number,.nowrap{white-space:nowrap;overflow-wrap:normal}
td.key{min-width:12ch;max-width:28ch}
.cells{margin:0;font-size:14px}
.cells div{display:inline-block;margin:0 12px 2px 0}
.cells dt{display:inline;color:var(--quiet)}.cells dt::after{content:": "}
.cells dd{display:inline;margin:0}
.bad dd{background:var(--mark);border-bottom:2px solid var(--wrong);padding:0 3px}
.bad dd:empty::after{content:"empty";font-style:italic}
details{margin:2px 0}summary{cursor:pointer;color:var(--quiet);font-size:14px}
.filter{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin:8px 0}
.filter label{font-size:14px;color:var(--quiet)}
.chart{display:block;width:100%;height:auto}
.chart text{font-size:11px;fill:var(--quiet)}.chart .axis{stroke:var(--line);stroke-width:1}
.chart .line{fill:none;stroke:var(--accent);stroke-width:1.5}.chart .second{fill:none;stroke:var(--attention);stroke-width:1.5;stroke-dasharray:4 3}
.chart .area{fill:var(--accent);opacity:.15}.chart .span{fill:var(--attention);opacity:.22}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:16px 32px}
figure{margin:0;display:flex;flex-direction:column;justify-content:space-between}figcaption{font-size:14px;color:var(--quiet)}
.hidden{display:none}
@media (max-width:600px){body{padding:20px 16px 48px}h1{font-size:22px}dl.facts{grid-template-columns:1fr;gap:0}dl.facts dd{margin-bottom:8px}.chart{overflow:visible}.chart text{font-size:14px}
.filter label{display:flex;flex:1 1 100%;gap:8px;align-items:center}:is(.filter input,.filter select){flex:1;min-width:0}}
@media screen and (max-width:600px){.rows table,.rows tbody{display:block}.rows thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.rows tr{display:grid;grid-template-columns:max-content minmax(0,1fr) max-content;gap:2px 12px;padding:8px 0;border-bottom:1px solid var(--line)}.rows tr.hidden{display:none}
.rows td{padding:0;border:0}.rows td.number::before{content:"Row "}.rows td.key{min-width:0;max-width:none}.rows td:last-child{grid-column:1/-1}}
@media print{:root{color-scheme:light;--ground:#fff;--panel:#fff;--line:#bbb;--text:#000;--quiet:#333;--accent:#000;--mark:#eee}body{max-width:none;padding:0}.filter,button,details:not([open]){display:none}.scroll{overflow:visible}.cause,tr,figure{break-inside:avoid}h2{break-after:avoid}tr.late{display:none}.cut{display:block}}
@media not print{.cut{display:none}}
`;

/** Filters the rows of a table, and copies commands. The page is complete without it. */
export const SCRIPT = `
'use strict';
for (const code of document.querySelectorAll('.command code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  code.after(button);
}
for (const filter of document.querySelectorAll('.filter')) {
  const rows = [...document.querySelectorAll('#' + filter.dataset.table + ' tbody tr')];
  const text = filter.querySelector('input');
  const cause = filter.querySelector('select');
  const count = filter.querySelector('output');
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const apply = () => {
    const wanted = text.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, index) => {
      const isShown = texts[index].includes(wanted) && (cause.value === '' || row.dataset.code === cause.value);
      row.classList.toggle('hidden', !isShown);
      if (isShown) shown++;
    });
    count.textContent = shown + ' of ' + rows.length + ' rows';
  };
  text.addEventListener('input', apply);
  cause.addEventListener('change', apply);
  filter.classList.remove('hidden');
  apply();
}
`;
