// Word lists as plain text, one string per language, cut apart once at first use.
#include "text/function_words.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_set>

namespace pimemory {
namespace {

using Words = std::unordered_set<std::string_view>;

constexpr std::string_view kEnglish =
    "the of to and that this these those it its she they them their theirs you your yours my our ours us him his who "
    "whom whose which what when where why how be been being are were does did done doing have having would should "
    "could can cannot may might must shall ought not never nor neither either both each every any some someone "
    "something somebody anything anyone anybody nobody nothing none everyone everything everywhere nowhere somewhere "
    "anywhere other others another such same than then there here because since while until unless although though if "
    "whether with without within into onto upon from by for at about above across after against along around before "
    "behind below beneath beside besides between beyond down during except inside near off out outside through "
    "throughout toward towards underneath up only just very too also still yet already always often sometimes usually "
    "again twice instead rather however therefore otherwise first later soon now today most more much many few fewer "
    "less least several enough almost whenever wherever whatever whichever whoever themselves itself yourself myself "
    "ourselves himself herself but ever please lets doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt "
    "couldnt cant hasnt havent hadnt doesn didn isn aren wasn weren won wouldn shouldn couldn hasn haven hadn mustn "
    "needn";

// Shared with a listed language; function words in English.
constexpr std::string_view kSharedFunctionWords =
    "a no do in so me he as is on or an am was we has had her hers i over under will all per once own mine don dont "
    "among via even fast till take";

// Shared too, with another sense in English.
constexpr std::string_view kSharedContentWords =
    "one state sense dove cos erg quasi die dos son con den mit man men sole sale bin hat war door van want met dan "
    "dir sin todo hay tan ten come fine due tale era sea solo main lot comma pour car plus comment tout fin par pain "
    "sans far bad gut rest hem pan real total final ante art kind dame fare male pure favor ate sob ton chose encore "
    "decide utilise falls ins ci vi hen bent elk cap fins fan hi res pot em ai pod pro vice tech proc bra var dig "
    "lite tack lat size bile gore rang bang ban day dung rat long pun situ al ad hoc molt dues tot num doe mate mere "
    "ses moc nay hon set cal biz tel dell note data date make use code pre vase dive lots sort file test log tag tip "
    "top net";

constexpr std::string_view kSpanish =
    "el la los las un una unos unas lo del de en y e o u que quien quienes cual cuales cuyo cuya cuando cuanto cuanta "
    "cuantos donde como porque pues aunque mientras si pero mas sino ni para por sobre entre hacia hasta desde "
    "durante mediante segun contra bajo tras yo tu usted ustedes nosotros nosotras vosotros ellos ellas ella mi mis "
    "tus su sus nuestro nuestra nuestros nuestras vuestro se te nos os les le este esta estos estas ese esa esos esas "
    "eso esto aquel aquella aquellos aquellas aqui ahi alli alla ser es soy eres somos eran fue fueron sean siendo "
    "sido estar estoy estan estamos esten estaba estaban haber ha han hemos haya hayan habia hubo tener tengo tiene "
    "tienen tenemos tenia tenga tengan hacer hace hacen haga hagan hagas haz hecho puede pueden puedo podemos pueda "
    "puedan podria debe deben debemos deberia deberian debes hacerlo voy va vamos vaya quiero quiere quieren quieras "
    "prefiero prefiere preferimos recuerda recuerde recordar decidimos decidido acordamos usa usar usamos utiliza "
    "utilizar siempre nunca jamas tambien tampoco ya aun todavia ahora luego despues antes entonces asi muy mucho "
    "mucha muchos muchas poco poca pocos pocas menos mejor peor bien mal solamente casi nada nadie algo alguien algun "
    "alguna algunos algunas alguno ningun ninguna ninguno toda todos todas cada otro otra otros otras mismo misma "
    "mismos mismas tanto tanta tantos primero primera cualquier cualquiera ademas hoy manana ayer nuevo nueva nuevos "
    "nuevas gracias tres tal cuyos demasiado";

constexpr std::string_view kPortuguese =
    "o os um uma uns umas ao aos da das na nas nos numa pela pelas pelo pelos de e ou que quem qual quais quando "
    "quanto quantos onde como porque pois embora enquanto se mas porem nem para por sem sobre entre desde durante "
    "conforme contra apos perante eu voce voces eles elas ele ela meu minha meus minhas teu tua seu sua seus suas "
    "nosso nossa nossos nossas lhe lhes este esta estes estas esse essa esses essas isso isto aquele aquela aqueles "
    "aquelas aquilo aqui ali la sao somos eram foi foram seja sejam sendo sido estar estou estao estamos esteja "
    "estejam estava estavam ter tem temos tinha tenha tenham tiver haver ha houve fazer faz fazem faca facam feito "
    "pode podem posso podemos possa possam poderia deve devem devemos deveria deveriam dever vai vao vamos quero quer "
    "querem prefiro prefere preferimos decidimos decidiu usamos utilize sempre nunca jamais tambem ja ainda agora "
    "depois antes entao assim muito muita muitos muitas pouco pouca poucos menos melhor pior bem mal somente apenas "
    "quase nada ninguem algo alguem algum alguma alguns algumas nenhum nenhuma tudo toda todos todas cada outro outra "
    "outros outras mesmo mesma mesmos mesmas tao tanto primeiro primeira qualquer quaisquer alem hoje amanha ontem "
    "novo nova novos novas gente nao sim duas tres desta deste destes destas nesta neste nesse nessa dessa desse "
    "daquele dele dela deles delas demais";

constexpr std::string_view kFrench =
    "le la les un une des du de au aux et ou ni mais donc que qui quoi lequel laquelle lesquels lesquelles quand "
    "pourquoi combien parce puisque lorsque lorsqu quoique si sinon comme sous sur dans en entre vers chez avec avant "
    "apres pendant depuis contre jusque jusqu selon malgre parmi hors je tu il elle nous vous ils elles moi toi lui "
    "eux leur leurs mon ma mes ta tes sa notre nos votre vos ce cet cette ces ceci cela ca celui celle ceux celles se "
    "y est sont suis es sommes etes etait etaient sera seront serait soit soient ete etre etant avoir ont avons avez "
    "avait avaient aura auront aurait ayant eu faire fait faut font fais faites faisons peut peuvent peux pouvons "
    "pouvez pourrait doit doivent dois devons devez devrait devraient faudra va vais vont allons veux veut voulons "
    "prefere preferons prefer utilisez utiliser utilisons toujours jamais aussi deja maintenant ensuite puis alors "
    "ainsi tres trop beaucoup peu moins mieux bien mal seulement presque rien personne quelque quelques quelqu chaque "
    "tous toute toutes autre autres meme memes aucun aucune plusieurs telle tels telles ne pas non oui ici aujourd "
    "hui demain hier nouveau nouvelle nouveaux nouvelles deux trois merci lors afin faute tant veuillez sauf";

constexpr std::string_view kGerman =
    "der das dem des ein eine einen einem einer eines und oder aber sondern denn dass ob weil wenn als wie wo wann "
    "warum wieso wer wen wem welche welcher welches welchen welchem damit obwohl wahrend bevor nachdem sobald bis "
    "seit ohne gegen durch fur um auf aus bei beim nach von vom vor zu zum zur uber unter zwischen neben hinter wegen "
    "trotz statt innerhalb ausserhalb im ich du er sie es wir ihr mich mir dich sich ihn ihm ihnen uns euch mein "
    "meine meinen meinem meiner dein deine sein seine seinen seinem seiner ihre ihren ihrem ihrer unser unsere "
    "unseren unserem unserer euer eure dieser diese dieses diesen diesem jener jene jenes jemand niemand etwas nichts "
    "alles alle allen aller jeder jede jedes jeden jedem manche mehrere viele vielen wenige einige einigen beide "
    "beiden keine kein keinen keinem keiner ist sind bist seid waren ware sei gewesen habe haben hast hatte hatten "
    "wird werden werde wurde wurden worden kann konnen konnte konnten muss mussen musste mussten soll sollen sollte "
    "sollten darf durfen durfte wollen wollte wollten mag mochte mochten lassen lass nicht nie niemals immer nur auch "
    "noch schon sehr mehr weniger meist oft manchmal wieder jetzt dann danach zuerst vorher nachher hier dort da "
    "dabei dafur dagegen davon davor dazu darauf daran darin darum deshalb daher trotzdem jedoch doch ganz gar etwa "
    "zwar bereits bitte heute morgen gestern erst neu neue neuen neuer neues ja nein zwei drei selbst sowie sonst "
    "stets verwende verwenden benutze nutze bevorzuge beschlossen gerne lieber jeweils nachsten ersten fuer ueber "
    "waehrend koennen muessen duerfen moechte wuerde waere dafuer fuhre zuruck";

constexpr std::string_view kItalian =
    "il lo la gli le un uno una del dello della dei degli delle allo alla agli alle dal dallo dalla dai dagli dalle "
    "dall nel nello nella nei negli nelle nell sul sullo sulla sui sugli sulle sull di da su tra fra e ed o od oppure "
    "ma pero anzi che chi cui quale quali quando quanto quanti perche poiche siccome mentre se anche sebbene affinche "
    "senza sopra sotto verso dopo prima durante contro fino entro oltre dentro fuori io tu lui lei noi voi loro mi ti "
    "si mio mia miei mie tuo tua tuoi suo sua suoi sue nostro nostra nostri nostre vostro questo questa questi queste "
    "quello quella quelli quelle quel quei quegli cio qui qua li sono sei siamo siete erano sara saranno sarebbe sia "
    "siano essere stato stata stati essendo ho hai ha abbiamo avete hanno aveva avevano avra abbia abbiano avere "
    "avuto fa fanno faccia fatto puo possono posso possiamo possa potrebbe deve devono devo dobbiamo debba debbano "
    "dovrebbe dovrebbero va vanno vado andiamo viene vengono venga vengano voglio vuole vogliamo vorrei preferisco "
    "preferisce preferiamo bisogna usa usare usiamo utilizza utilizzare deciso ricorda sempre mai non gia ancora "
    "adesso ora poi allora cosi molto molta molti molte poco poca pochi poche meno piu meglio peggio bene soltanto "
    "niente nulla nessuno nessuna nessun qualcosa qualcuno qualche alcuni alcune ogni ciascuno ciascuna tutto tutta "
    "tutti tutte altro altra altri altre stesso stessa stessi stesse tanto troppo primo invece inoltre quindi dunque "
    "neppure neanche oggi domani ieri nuovo nuova nuovi nuove grazie favore tre";

constexpr std::string_view kDutch =
    "de het een der des en maar dus dat dit deze wie wat welke waar wanneer waarom hoe omdat zodat hoewel terwijl "
    "totdat voordat nadat zodra indien als tenzij aan bij na naar om onder op sinds te tegen tijdens tussen uit vanaf "
    "vanuit voor zonder binnen buiten achter langs volgens ik je jij jou hij zij ze wij jullie u hun haar mij zich "
    "zelf mijn jouw zijn onze ons iemand niemand iets niets alles alle allen ieder iedere iedereen elke sommige "
    "enkele veel vele weinig meer minder meeste geen ben waren wordt worden werd werden geworden heeft heb hebt "
    "hebben hadden gehad kan kunnen kunt kon konden moet moeten moest mag mogen mocht zal zullen zou zouden wil "
    "willen wilt wilde wilden laat laten gaat gaan doet doen gebruik gebruiken gebruikt niet nooit altijd ook nog "
    "reeds zeer heel vaak soms weer nu toen daarna eerst hier daar er ervan erop erin daarom daardoor echter toch wel "
    "zo zoals alleen slechts bijna ongeveer graag liever vandaag morgen gisteren nieuw nieuwe ja nee twee drie steeds "
    "dezelfde hetzelfde ander andere anders besloten waarbij waarin hierin zowel noch opnieuw terug";

constexpr std::string_view kCatalan =
    "el la els les un una uns unes lo del dels als pel pels de d en amb sobre entre des durant segons contra sota o "
    "pero sino que qui quin quina quins quines quan quant com perque ja mentre si doncs jo tu ell ella nosaltres "
    "vosaltres ells elles et es ens li ho meu meva teu teva seu seva nostre nostra vostre aquest aquesta aquests "
    "aquestes aquell aquella aixo allo aqui alla sou som eren sigui siguin estar esta estan estem haver ha han havia "
    "hagi tenir te tenen tenim fer fa fem fet poden podem pugui calen caldria deu vull vol volem prefereixo preferim "
    "sempre mai tambe tampoc encara ara despres abans llavors aixi molta molts moltes poc poca menys mes millor nomes "
    "gairebe ningu alguna algun alguns algunes tota tots totes cada altre altra altres mateix mateixa primer avui "
    "dema ahir nou nova nous noves tres plau fes feu servir qualsevol";

constexpr std::string_view kPolish =
    "w z o u ze na od po dla przy przez przed nad za bez miedzy oraz lub albo ale lecz jednak wiec dlatego poniewaz "
    "bo gdyz zeby aby gdy kiedy jesli jezeli choc chociaz jak jako gdzie skad dokad dlaczego co kto ktory ktora ktore "
    "ktorzy ktorych ktorym ktorej czyj jaki jaka jakie ja ty ona ono wy oni mnie mi ciebie jego jej ich jemu im nim "
    "niej nich nami nas nam wam sie siebie swoj swoje swoja swoich moj moja moje nasz nasza nasze naszego naszej "
    "naszych twoj ta te tego tej tym tych temu tamten tam tu tutaj jest sa byl byla bylo byly bedzie beda byc jestem "
    "jestesmy ma maja mam mamy miec moze moga mozna mozemy musi musza musimy trzeba nalezy powinien powinna powinno "
    "powinny powinnismy chce chca chcemy wole wolimy uzywaj uzywac uzywamy pamietaj nie nigdy zawsze tylko tez takze "
    "rowniez juz jeszcze teraz potem pozniej najpierw wtedy tak bardzo duzo malo wiele wiecej mniej lepiej dobrze zle "
    "prawie nic nikt ktos kazdy kazda kazde kazdego kazdej wszystko wszystkie wszystkich wszyscy inny inna inne "
    "innych sam sama samo dzis dzisiaj jutro wczoraj nowy nowa nowe nowych prosze dwa trzy zadnych zaden zadna "
    "podczas wedlug oprocz zamiast niz czy zdecydowalismy poza zanim";

constexpr std::string_view kCzech =
    "v ve z ze s se k ke o u na od po pri pres pred nad za bez mezi nebo ani ale vsak tedy proto protoze nebot aby "
    "kdyz kdyby jestli jestlize pokud ackoli prestoze jak jako kde kam odkud kdy co kdo ktery ktera ktere kteri "
    "kterych kterym kterou jaky jaka jake ja ty ona ono vy oni mne mi tebe ti jeho jeji jej ji jim jich nas nam vas "
    "vam sebe si svuj sve svou muj moje nase nasi nasich tvuj ta toho te tom tomu tento tato toto tyto teto techto "
    "tam tady zde je jsou jsem jsme jste byl byla bylo byly bude budou byt ma maji mam mame muze mohou muzeme lze "
    "musi museji musime smi nesmi mel mela melo meli chce chteji chceme chci davam preferuji pouzivej pouzivejte "
    "pouzit pouzivame ne neni nejsou nikdy vzdy vzdycky jen jenom pouze taky uz jiz jeste ted nyni pak potom pozdeji "
    "nejdriv nejprve nejdrive tak velmi hodne malo mnoho mene lepe dobre spatne skoro nic nikdo neco nekdo nejaky "
    "kazdy kazda kazde kazdou kazdeho vse vsechno vsechny vsech vsichni jiny jina jine sam sama dnes zitra vcera novy "
    "nova nove novych prosim dva tri zadny zadna zadne behem podle krome misto nez rozhodli dokud zatimco opet znovu "
    "kvuli prilis";

constexpr std::string_view kSwedish =
    "en ett det de dem och eller utan att som om nar da dar varfor hur vad vem vilken vilket vilka eftersom medan "
    "innan efter forst fastan trots pa av fran med mot mellan genom vid hos inom utanfor bakom framfor enligt jag du "
    "han ni mig oss er honom henne sig min mitt mina din ditt dina sitt sina vart vara hans hennes deras denna detta "
    "dessa nagon nagot nagra ingen inget inga alla allt varje annan annat andra samma sjalv ar varit blir bli blev "
    "blivit har hade haft ha kan kunde kunnat ska skall skulle maste bor borde fick fa vill ville gor gora gjort "
    "anvand anvanda anvander foredrar inte aldrig alltid ofta ibland ocksa aven bara endast redan annu nu sedan "
    "darefter mycket manga mer mest mindre fler battre igen nastan sa idag imorgon igar ny nya nytt tva tre bestamde "
    "bestamt beslutat nej ja samt istallet tills upp ner ut inne varken kor grund";

constexpr std::string_view kTurkish =
    "ve veya ya ama fakat ancak cunku eger ise icin ile gibi kadar dogru karsi sonra beri dolayi ragmen uzere bu su o "
    "bunu sunu onu bunun onun buna ona bunlar onlar bunlari onlari bunda onda ben sen siz bana sana bize beni seni "
    "bizi sizi benim senin bizim sizin kendi kendisi kim kimse ne neden nicin nasil nerede nereye hangi kac hep hepsi "
    "butun tum bazi birkac bir biri hic hicbir sey seyi seyler baska diger ayni boyle soyle oyle cok az daha en degil "
    "yok olan olarak olmak olur oldu olmali olmamali olmasi olmadan olsa olsun olmasin olacak olabilir edilir "
    "edilmeli edilmez etmek etme eder etmeli eden ederek edin yapma yapmak yapilir yapilmali yapin gerekir gerekiyor "
    "gerek lazim mi mu midir asla daima zaman zaten hala simdi artik sadece yalniz yalnizca belki mutlaka lutfen "
    "bugun yarin dun yeni icinde uzerinde altinda arasinda disinda tarafindan yerine kullan kullanma kullanin "
    "kullanilir kullaniyoruz tercih ederim ediyorum ediyoruz iki uc de da ki diye sirasinda boyunca hakkinda yuzunden";

constexpr std::string_view kVietnamese =
    "cua va hoac nhung nen neu thi ma la de cho voi tu trong ngoai tren duoi truoc sau khi luc o tai theo ve qua giua "
    "cung cac mot moi nhieu vai toan bo tat ca toi chung ta ho minh anh gi nao dau sao bao gio kia ay co khong chua "
    "da dang se duoc bi phai cu luon thuong chi lai nua lam nhat deu nhau vui xin tranh nguoi muon thich nhom viec "
    "thay giong ngay dua dam";

constexpr std::string_view kIndonesian =
    "yang atau tetapi tapi namun karena sebab jika kalau apabila bila agar supaya maka sehingga meskipun walaupun "
    "sedangkan sambil ketika saat sebelum sesudah setelah selama sejak hingga sampai di ke dari pada dalam untuk "
    "dengan oleh tanpa tentang antara terhadap kepada bagi atas bawah luar seperti sebagai saya aku kami kita kamu "
    "anda dia mereka ia ini itu tersebut sini sana apa siapa mana kapan mengapa kenapa bagaimana berapa adalah ialah "
    "ada bukan tidak tak belum jangan sudah telah sedang akan masih bisa dapat boleh harus perlu wajib mau ingin "
    "lebih paling sangat sekali hanya saja juga lagi selalu sering kadang pernah semua setiap tiap beberapa banyak "
    "sedikit lain sama sendiri para sebuah seorang suatu satu dua tiga terlebih dahulu lalu kemudian kini sekarang "
    "nanti besok kemarin hari baru tolong mohon silakan gunakan pakai memakai menggunakan digunakan dilakukan menjadi "
    "membuat dibuat secara melalui menurut serta pastikan dulu waktu";

constexpr std::string_view kInstructionWords =
    "use uses used using keep keeps avoid handle handles ensure write add adds remove removes rename move make makes "
    "need needs allow allows support supports follow fix fixes show shows send call calls prefer check checks return "
    "returns read reads ignore ignores convert accept escape strip preserve match matches replace rewrite include "
    "translate sort spell render display treat new old all is as was on has";

// Verbs of instructions in the other languages, which carry content and yet name their language.
constexpr std::string_view kForeignInstructionWords =
    "anade anadas borra borres revisa actualiza documenta cambia evita ejecuta sube subas manten guarda guardar "
    "escribe escribas elimina elimines agrega agregues compila despliega acuerdate altere altera mantenha guarde "
    "escreva remova adicione rode mexa atualize lembre evitez ajoute ajoutez ajouter supprime supprimez lancez garde "
    "gardez ecris ecrivez executez modifie modifiez halte vermeide vermeiden schreibe schreiben loesche losche starte "
    "benutzen merke evitare aggiungi aggiungere esegui eseguire scrivi scrivere mantieni conserva modifica modificare "
    "riavvia voeg vermijd schrijf verwijder houd bewaar bewaren voer plaats onthoud antwoord afegeix esborra esborris "
    "executa escriu mantingues recorda dodawaj dodaj usuwaj usun unikaj uruchamiaj uruchom pisz napisz zapisuj "
    "zapisujemy sprawdzaj trzymaj pridavej nepridavej spust spoustej vyhni pis napis zapamatuj ukladame undvik skriv "
    "lagg spara sparar behall ekle ekleme calistir sakla yaz yazin gonderme unutma ekleyin chay viet truc tiep "
    "tambahkan hapus jalankan hindari tulis simpan disimpan ingat langsung";

constexpr std::string_view kLanguageNames =
    "english french spanish german italian dutch portuguese catalan polish czech swedish turkish vietnamese indonesian "
    "russian ukrainian chinese japanese korean arabic hebrew greek";

constexpr std::string_view kLoanwords =
    "naive cafe cafes resume resumes facade facades cliche cliches deja vu jalapeno jalapenos habanero pinata fiance "
    "fiancee entree entrees protege expose risque blase creme brulee voila senor senora nino nina decor doppelganger "
    "uber ubers zeitgeist soiree matinee touche saute puree pate crepe crepes souffle seance role roles melee "
    "premiere cooperate cooperation coordinate naivete naivety angstrom angstroms smorgasbord papier mache aperitif "
    "attache communique detente elan emigre eclair gruyere latte maitre menage negligee outre passe porte roue "
    "smorrebrod tete a vicuna ole manana debut";

constexpr std::string_view kNegations =
    "no not nor never none neither cannot cant dont doesnt didnt isnt arent wasnt wont shouldnt without nothing "
    "nobody sin nunca jamas ni tampoco nada nadie ningun ninguna ninguno nao sem nem nenhum nenhuma jamais ninguem ne "
    "pas non sans rien aucun aucune nicht nie niemals ohne kein keine keinen keinem keiner nichts niemand mai senza "
    "nessuno nessuna nessun niet nooit geen zonder niets sense cap nigdy bez nic nikt neni nikdy nesmi inte aldrig "
    "utan ingen inget inga degil yok asla hic hicbir khong chua dung tidak tak bukan jangan belum tanpa не нет ни "
    "никогда без нельзя ні ніколи немає δεν μην ποτε χωρις لا ليس لم لن دون بدون לא אין בלי אל नहीं न बिना";

Words split(std::initializer_list<std::string_view> lists) {
  Words words;
  for (const std::string_view list : lists) {
    for (std::size_t start = 0; start < list.size();) {
      const std::size_t end = std::min(list.find(' ', start), list.size());
      if (end > start) words.insert(list.substr(start, end - start));
      start = end + 1;
    }
  }
  return words;
}

Words without(Words words, const Words& removed) {
  for (const std::string_view word : removed) words.erase(word);
  return words;
}

const Words& shared() {
  static const Words words = split({kSharedFunctionWords, kSharedContentWords});
  return words;
}

const Words& english() {
  static const Words words = without(split({kEnglish}), shared());
  return words;
}

const Words& foreign() {
  static const Words words = without(without(split({kSpanish, kPortuguese, kFrench, kGerman, kItalian, kDutch, kCatalan,
                                                    kPolish, kCzech, kSwedish, kTurkish, kVietnamese, kIndonesian}),
                                             english()),
                                     shared());
  return words;
}

}  // namespace

bool is_english_function_word(std::string_view folded) { return english().contains(folded); }

bool is_foreign_function_word(std::string_view folded) { return foreign().contains(folded); }

bool is_shared_function_word(std::string_view folded) {
  static const Words words = split({kSharedFunctionWords});
  return words.contains(folded);
}

bool is_english_instruction_word(std::string_view folded) {
  static const Words words = split({kInstructionWords});
  return words.contains(folded);
}

bool is_foreign_instruction_word(std::string_view folded) {
  static const Words words = without(without(split({kForeignInstructionWords}), english()), shared());
  return words.contains(folded);
}

bool is_english_language_name(std::string_view folded) {
  static const Words words = split({kLanguageNames});
  return words.contains(folded);
}

bool is_english_loanword(std::string_view folded) {
  static const Words words = split({kLoanwords});
  return words.contains(folded);
}

bool is_negation(std::string_view folded) {
  static const Words words = split({kNegations});
  return words.contains(folded);
}

}  // namespace pimemory
