// Word lists as plain text, one string per language, cut apart once at first use.
#include "text/function_words.h"

#include <initializer_list>
#include <unordered_set>

namespace pimemory {
namespace {

using Words = std::unordered_set<std::string_view>;

constexpr std::string_view kEnglish =
    "the of to and that this these those it its it's he's she they them their theirs i you your yours my mine we "
    "our ours us him his who whom whose which what when where why how be been being are were does did done doing "
    "have having had would should could can cannot may might must shall ought not never nor neither either both "
    "each every any some someone something somebody anything anyone anybody nobody nothing none everyone "
    "everything everywhere nowhere somewhere anywhere other others another such own same than then there here "
    "because since while until unless although though if whether with without within into onto upon from by for "
    "at about above across after against along among around before behind below beneath beside besides between "
    "beyond down during except inside near off out outside through throughout toward towards underneath up via "
    "only just very too also even still yet already always often sometimes usually again once twice instead "
    "rather however therefore otherwise first later soon now today most more much many few fewer less least "
    "several enough almost whenever wherever whatever whichever whoever themselves itself yourself myself ourselves "
    "himself herself but ever please lets let's doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt "
    "couldnt cant hasnt havent hadnt dont don doesn didn isn aren wasn weren won wouldn shouldn couldn hasn haven "
    "hadn mustn needn per";

// Shared with a listed language; in English they are function words or close to it.
constexpr std::string_view kSharedFunctionWords =
    "a no do in so me he as is on or an am was we has had her hers over under will all per of have once don dont "
    "mine even also own here among many at";

// Shared too, with another sense in English.
constexpr std::string_view kSharedContentWords =
    "die dos son con den mit man men sole sale bin hat war des-ka door van want met dan dir sin todo hay tan ten come "
    "fine due tale era solo once main lot comma pour car plus comment tout fin par pain sans or far bad gut rest "
    "hem pan real total final ante art band brief kind also made real hare have dare dame data date note mode "
    "more nun tag tag arm ring hier-archy her ad al ago mere here mag pas-s par in-put out-put max min sol sea "
    "van net last log set pod post index test code side file line site page tip top map pop bed most past host "
    "kilo auto dive dove hello hall slot stop start still gate her den var let dag hash ion item api url gem "
    "at on is it i be by my but had his to of if up me any can may do as am us so no an he we";

constexpr std::string_view kSpanish =
    "el la los las un una unos unas lo al del de en y e o u que quien quienes cual cuales cuyo cuya cuando cuanto "
    "cuanta cuantos donde como porque pues aunque mientras si pero mas sino ni para por sin sobre entre hacia hasta "
    "desde durante mediante segun contra ante bajo tras yo tu usted ustedes nosotros nosotras vosotros ellos ellas "
    "ella mi mis tus su sus nuestro nuestra nuestros nuestras vuestro se te nos os les le este esta estos estas ese "
    "esa esos esas eso esto aquel aquella aquellos aquellas aqui ahi alli alla ser es soy eres somos son era eran "
    "fue fueron sea sean siendo sido estar estoy esta estan estamos este esten estaba estaban haber he ha han hemos "
    "hay haya hayan habia hubo tener tengo tiene tienen tenemos tenia tenga tengan hacer hace hacen haga hagan "
    "hagas haz hecho puede pueden puedo podemos pueda puedan podria debe deben debemos deberia deberian debes hacerlo "
    "voy va van vamos vaya quiero quiere quieren quieras prefiero prefiere preferimos recuerda recuerde recordar "
    "decidimos decidido acordamos usa usar usamos utiliza utilizar "
    "siempre nunca jamas tambien tampoco ya aun todavia ahora luego despues antes entonces asi muy mucho mucha muchos "
    "muchas poco poca pocos pocas menos mejor peor bien mal solo solamente casi nada nadie algo alguien algun alguna "
    "algunos algunas alguno ningun ninguna ninguno todo toda todos todas cada otro otra otros otras mismo misma mismos "
    "mismas tan tanto tanta tantos primero primera cualquier cualquiera ademas mientras hoy manana ayer nuevo nueva "
    "nuevos nuevas gracias favor dos tres tal";

constexpr std::string_view kPortuguese =
    "o os um uma uns umas ao aos da das dos na nas no nos num numa pela pelas pelo pelos de do em e ou que quem qual "
    "quais quando quanto quantos onde como porque pois embora enquanto se mas porem nem para por sem sobre entre ate "
    "desde durante conforme contra apos perante sob eu voce voces nos eles elas ele ela meu minha meus minhas teu tua "
    "seu sua seus suas nosso nossa nossos nossas lhe lhes este esta estes estas esse essa esses essas isso isto aquele "
    "aquela aqueles aquelas aquilo aqui ali la sao somos era eram foi foram seja sejam sendo sido estar estou esta "
    "estao estamos esteja estejam estava estavam ter tem temos tinha tenha tenham tiver haver ha houve fazer faz "
    "fazem faca facam feito pode podem posso podemos possa possam poderia deve devem devemos deveria deveriam dever "
    "vai vao vamos quero quer querem prefiro prefere preferimos lembre decidimos decidiu "
    "usamos utilize sempre nunca jamais tambem ja ainda agora depois antes entao assim muito muita muitos muitas "
    "pouco pouca poucos menos melhor pior bem mal somente apenas quase nada ninguem algo alguem algum alguma alguns "
    "algumas nenhum nenhuma tudo todo toda todos todas cada outro outra outros outras mesmo mesma mesmos mesmas tao "
    "tanto primeiro primeira qualquer quaisquer alem hoje amanha ontem novo nova novos novas gente nao sim favor duas "
    "tres desta deste destes destas nesta neste nesse nessa dessa desse daquele dele dela deles delas";

constexpr std::string_view kFrench =
    "le la les un une des du de au aux et ou ni mais donc car or que qui quoi dont lequel laquelle lesquels lesquelles "
    "quand comment pourquoi combien parce puisque lorsque lorsqu quoique si sinon comme pour par sans sous sur dans en "
    "entre vers chez avec avant apres pendant depuis contre jusque jusqu selon malgre parmi hors je tu il elle nous "
    "vous ils elles moi toi lui eux leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos ce cet cette ces "
    "ceci cela ca celui celle ceux celles se y est sont suis es sommes etes etait etaient sera seront serait soit "
    "soient ete etre etant avoir ai ont avons avez avait avaient aura auront aurait ayant eu faire fait faut font "
    "fais faites faisons peut peuvent peux pouvons pouvez pourrait doit doivent dois devons devez devrait devraient "
    "faudra va vais vont allons veux veut voulons prefere preferons prefer utilise utilisez utiliser utilisons avons "
    "toujours jamais aussi encore deja maintenant ensuite puis alors ainsi tres trop beaucoup peu moins mieux bien mal "
    "seulement presque rien personne quelque quelques quelqu chose chaque tous toute toutes autre autres meme memes "
    "aucun aucune plusieurs tel telle tels telles ne pas plus non oui ici aujourd hui demain hier nouveau nouvelle "
    "nouveaux nouvelles deux trois merci decide lors afin faute tant ni veuillez sauf";

constexpr std::string_view kGerman =
    "der die das den dem des ein eine einen einem einer eines und oder aber sondern denn dass ob weil wenn als wie wo "
    "wann warum wieso wer wen wem was welche welcher welches welchen welchem damit obwohl wahrend bevor nachdem sobald "
    "falls bis seit ohne gegen durch fur um an auf aus bei beim mit nach von vom vor zu zum zur uber unter zwischen "
    "neben hinter wegen trotz statt innerhalb ausserhalb im ins am ich du er sie es wir ihr mich mir dich dir sich ihn "
    "ihm ihnen uns euch mein meine meinen meinem meiner dein deine sein seine seinen seinem seiner ihre ihren ihrem "
    "ihrer unser unsere unseren unserem unserer euer eure dieser diese dieses diesen diesem jener jene jenes man "
    "jemand niemand etwas nichts alles alle allen aller jeder jede jedes jeden jedem manche mehrere viele vielen wenige "
    "einige einigen beide beiden keine kein keinen keinem keiner ist sind bin bist seid war waren ware waren sei "
    "gewesen hat habe haben hast hatte hatten hatte wird werden werde wurde wurden worden kann konnen konnte konnten "
    "muss mussen musste mussten soll sollen sollte sollten darf durfen durfte will wollen wollte wollten mag mochte "
    "mochten lassen lass nicht nie niemals immer nur auch noch schon sehr mehr weniger meist oft manchmal wieder "
    "jetzt dann danach zuerst vorher nachher hier dort da dabei dafur dagegen davon davor dazu darauf daran darin "
    "darum deshalb daher trotzdem jedoch doch also so ganz gar fast etwa zwar bereits bitte heute morgen gestern "
    "erst neu neue neuen neuer neues ja nein zwei drei selbst sowie sonst statt stets verwende verwenden benutze "
    "nutze bevorzuge beschlossen gerne lieber jeweils nachsten ersten fuer ueber waehrend koennen muessen duerfen "
    "moechte wuerde waere dafuer";

constexpr std::string_view kItalian =
    "il lo la i gli le un uno una del dello della dei degli delle dell al allo alla ai agli alle all dal dallo dalla "
    "dai dagli dalle dall nel nello nella nei negli nelle nell sul sullo sulla sui sugli sulle sull di da in con su "
    "per tra fra e ed o od oppure ma pero anzi che chi cui quale quali quando quanto quanti dove come perche poiche "
    "siccome mentre se anche sebbene affinche senza sopra sotto verso dopo prima durante contro fino entro oltre "
    "dentro fuori io tu lui lei noi voi loro mi ti ci vi si mio mia miei mie tuo tua tuoi suo sua suoi sue nostro "
    "nostra nostri nostre vostro questo questa questi queste quello quella quelli quelle quel quei quegli cio qui qua "
    "li sono sei siamo siete era erano sara saranno sarebbe sia siano essere stato stata stati state essendo ho hai "
    "ha abbiamo avete hanno aveva avevano avra abbia abbiano avere avuto fare fa fanno faccia fatto puo possono posso "
    "possiamo possa potrebbe deve devono devo dobbiamo debba debbano dovrebbe dovrebbero va vanno vado andiamo viene "
    "vengono venga vengano voglio vuole vogliamo vorrei preferisco preferisce preferiamo bisogna usa usare usiamo "
    "utilizza utilizzare deciso ricorda sempre mai non gia ancora adesso ora poi allora cosi molto molta molti "
    "molte poco poca pochi poche meno piu meglio peggio bene male solo soltanto quasi niente nulla nessuno nessuna "
    "nessun qualcosa qualcuno qualche alcuni alcune ogni ciascuno ciascuna tutto tutta tutti tutte altro altra altri "
    "altre stesso stessa stessi stesse tanto troppo primo invece inoltre quindi dunque pure neppure neanche oggi "
    "domani ieri nuovo nuova nuovi nuove grazie favore due tre";

constexpr std::string_view kDutch =
    "de het een der den des en of maar want dus dat die dit deze wie wat welke waar wanneer waarom hoe omdat zodat "
    "hoewel terwijl totdat voordat nadat zodra indien als dan tenzij aan bij door in met na naar om onder op over per "
    "sinds te tegen tijdens tot tussen uit van vanaf vanuit via voor zonder binnen buiten achter langs volgens "
    "ik je jij jou hij zij ze wij we jullie u hen hun hem haar mij me zich zelf mijn jouw zijn onze ons iemand niemand "
    "iets niets alles alle allen ieder iedere iedereen elk elke sommige enkele veel vele weinig meer minder meeste "
    "geen is ben bent was waren wordt worden werd werden geworden heeft heb hebt hebben had hadden gehad kan kunnen "
    "kunt kon konden moet moeten moest mag mogen mocht zal zullen zou zouden wil willen wilt wilde wilden laat laten "
    "gaat gaan doet doen doe gebruik gebruiken gebruikt niet nooit altijd ook nog al reeds zeer heel erg vaak soms "
    "weer nu toen daarna eerst later hier daar er ervan erop erin daarom daardoor dus echter toch wel zo zoals alleen "
    "slechts bijna ongeveer graag liever vandaag morgen gisteren nieuw nieuwe ja nee twee drie steeds dezelfde "
    "hetzelfde ander andere anders besloten wordt waarbij waarin hierin zowel noch";

constexpr std::string_view kCatalan =
    "el la els les un una uns unes lo del dels al als pel pels de d en amb per sense sobre entre cap fins des durant "
    "segons contra sota i o pero sino que qui quin quina quins quines quan quant on com perque ja mentre si doncs jo "
    "tu ell ella nosaltres vosaltres ells elles em et es ens us li hi ho meu meva teu teva seu seva nostre nostra "
    "vostre aquest aquesta aquests aquestes aquell aquella aixo allo aqui alla es son sou som era eren sigui siguin "
    "estar esta estan estem haver ha han hem havia hagi tenir te tenen tenim fer fa fan fem fet pot poden podem pugui "
    "cal calen caldria ha deu vull vol volem prefereixo preferim sempre mai tambe tampoc encara ara despres abans "
    "llavors aixi molt molta molts moltes poc poca menys mes millor nomes gairebe res ningu alguna algun alguns "
    "algunes tot tota tots totes cada altre altra altres mateix mateixa primer avui dema ahir nou nova nous noves "
    "dues tres no si us plau fes feu servir cap qualsevol hem";

constexpr std::string_view kPolish =
    "i a w z o u we ze na do od po dla przy przez przed pod nad za bez miedzy oraz lub albo ale lecz jednak wiec "
    "dlatego poniewaz bo gdyz ze zeby aby gdy kiedy jesli jezeli choc chociaz jak jako gdzie skad dokad dlaczego co "
    "kto ktory ktora ktore ktorzy ktorych ktorym ktorej czyj jaki jaka jakie ja ty on ona ono my wy oni one mnie mi "
    "ciebie ci jego jej ich jemu im nim niej nich nami nas nam was wam sie siebie swoj swoje swoja swoich moj moja "
    "moje nasz nasza nasze naszego naszej naszych twoj ten ta to te tego tej tym tych temu tamten tam tu tutaj jest sa "
    "byl byla bylo byly bylo bedzie beda byc jestem jestesmy ma maja mam mamy miec moze moga mozna mozemy musi musza "
    "musimy trzeba nalezy powinien powinna powinno powinny powinnismy chce chca chcemy wole wolimy uzywaj uzywac "
    "uzywamy pamietaj nie nigdy zawsze tylko tez takze rowniez juz jeszcze teraz potem pozniej najpierw wtedy tak "
    "bardzo duzo malo wiele wiecej mniej lepiej dobrze zle prawie nic nikt cos ktos kazdy kazda kazde kazdego kazdej "
    "wszystko wszystkie wszystkich wszyscy inny inna inne innych sam sama samo dzis dzisiaj jutro wczoraj nowy nowa "
    "nowe nowych prosze dwa trzy zadnych zaden zadna podczas wedlug oprocz zamiast niz czy zdecydowalismy poza zanim";

constexpr std::string_view kCzech =
    "a i v ve z ze s se k ke o u na do od po pro pri pres pred pod nad za bez mezi nebo ani ale vsak tedy proto "
    "protoze nebot ze aby kdyz kdyby jestli jestlize pokud ackoli prestoze jak jako kde kam odkud kdy proc co kdo "
    "ktery ktera ktere kteri kterych kterym kterou jaky jaka jake ja ty on ona ono my vy oni mne me mi tebe ti jeho "
    "jeji jej ji jim jich nas nam vas vam sebe si svuj sve svou muj moje nas nase nasi nasich tvuj ten ta to ti ty "
    "toho te tom tech tomu tento tato toto tyto teto techto tam tady zde je jsou jsem jsme jste byl byla bylo byly "
    "bude budou byt ma maji mam mame mit muze mohou muzeme lze musi museji musime smi nesmi mel mela melo meli "
    "mela chce chteji chceme chci davam preferuji pouzivej pouzivejte pouzit pouzivame ne neni nejsou nikdy vzdy "
    "vzdycky jen jenom pouze take taky uz jiz jeste ted nyni pak potom pozdeji nejdriv nejprve nejdrive tak velmi "
    "moc hodne malo mnoho vice mene lepe dobre spatne skoro nic nikdo neco nekdo nejaky kazdy kazda kazde kazdou "
    "kazdeho vse vsechno vsechny vsech vsichni jiny jina jine sam sama dnes zitra vcera novy nova nove novych prosim "
    "dva tri zadny zadna zadne behem podle krome misto nez rozhodli jsme dokud zatimco opet znovu";

constexpr std::string_view kSwedish =
    "en ett den det de dem och eller men utan att som om nar da dar varfor hur vad vem vilken vilket vilka eftersom "
    "medan innan efter forst fastan trots pa av fran med utan mot mellan genom under over vid hos till for inom "
    "utanfor bakom framfor enligt jag du han hon vi ni de mig dig oss er honom henne sig min mitt mina din ditt dina "
    "sin sitt sina var vart vara hans hennes deras denna detta dessa nagon nagot nagra ingen inget inga alla allt "
    "varje annan annat andra samma sjalv ar var vara varit blir bli blev blivit har hade haft ha kan kunde kunnat "
    "ska skall skulle maste bor borde far fick fa vill ville lat gor gora gjort anvand anvanda anvander foredrar inte "
    "aldrig alltid ofta ibland ocksa aven bara endast redan annu nu sedan darefter har dar mycket manga lite mer mest "
    "mindre fler battre bra igen nastan sa idag imorgon igar ny nya nytt tack tva tre bestamde bestamt beslutat nej "
    "ja via samt istallet tills upp ner ut inne varken";

constexpr std::string_view kTurkish =
    "ve veya ya ama fakat ancak cunku eger ise icin ile gibi kadar gore dogru karsi once sonra beri dolayi ragmen "
    "uzere bu su o bunu sunu onu bunun onun buna ona bunlar onlar bunlari onlari bunda onda ben sen biz siz bana sana "
    "bize size beni seni bizi sizi benim senin bizim sizin kendi kendisi kim kimse ne neden nicin nasil nerede nereye "
    "hangi kac her hep hepsi butun tum bazi birkac bir biri hic hicbir sey seyi seyler baska diger ayni boyle soyle "
    "oyle cok az daha en degil yok olan olarak olmak olur oldu olmali olmamali olmasi olmadan olsa olsun olmasin "
    "olacak olabilir edilir edilmeli edilmez etmek etme eder etmeli eden ederek edin yapma yapmak yapilir yapilmali "
    "yapin gerekir gerekiyor gerek lazim mi mu midir asla daima zaman zaten hala simdi artik bile sadece yalniz "
    "yalnizca belki mutlaka lutfen bugun yarin dun yeni icinde uzerinde altinda arasinda disinda tarafindan yerine "
    "kullan kullanma kullanin kullanilir kullaniyoruz tercih ederim ediyorum ediyoruz iki uc de da ki diye sirasinda "
    "boyunca hakkinda";

constexpr std::string_view kVietnamese =
    "cua va hoac nhung vi nen neu thi ma la rang de cho voi tu den trong ngoai tren duoi truoc sau khi luc o tai bang "
    "theo ve qua giua cung cac nhung mot moi nhieu it vai toan bo tat ca toi ban chung ta ho no minh anh em ai gi nao "
    "dau sao bao gio nay kia do day ay co khong chua da dang se duoc bi phai can hay dung cu luon thuong chi van con "
    "lai nua rat qua lam hon nhat van moi deu cung nhau vui long xin tranh nguoi muon thich khong nhom viec thay "
    "giong ngay dua";

constexpr std::string_view kIndonesian =
    "yang dan atau tetapi tapi namun karena sebab jika kalau apabila bila agar supaya maka sehingga meskipun walaupun "
    "sedangkan sambil ketika saat sebelum sesudah setelah selama sejak hingga sampai di ke dari pada dalam untuk "
    "dengan oleh tanpa tentang antara terhadap kepada bagi atas bawah luar seperti sebagai saya aku kami kita kamu "
    "anda dia mereka ia ini itu tersebut sini situ sana apa siapa mana kapan mengapa kenapa bagaimana berapa adalah "
    "ialah ada bukan tidak tak belum jangan sudah telah sedang akan masih bisa dapat boleh harus perlu wajib mau ingin "
    "lebih paling sangat sekali hanya saja juga lagi pun selalu sering kadang pernah semua setiap tiap beberapa banyak "
    "sedikit lain sama sendiri para sebuah seorang suatu satu dua tiga terlebih dahulu lalu kemudian kini sekarang "
    "nanti besok kemarin hari baru tolong mohon silakan gunakan pakai memakai menggunakan digunakan dilakukan menjadi "
    "membuat dibuat secara melalui menurut serta pastikan";

constexpr std::string_view kInstructionWords =
    "use uses used using keep keeps avoid handle handles ensure write add adds remove removes rename move make makes "
    "need needs allow allows support supports follow fix fixes show shows send call calls prefer check checks "
    "return returns read reads ignore ignores convert accept escape strip preserve match matches replace rewrite "
    "include translate sort spell render display treat new old all is as was on has";

constexpr std::string_view kLoanwords =
    "naive cafe cafes resume resumes facade facades cliche cliches deja vu jalapeno jalapenos habanero pinata fiance "
    "fiancee entree entrees protege expose risque blase creme brulee voila senor senora nino nina decor doppelganger "
    "uber ubers zeitgeist soiree matinee touche saute puree pate crepe crepes souffle seance role roles melee premiere "
    "cooperate cooperation coordinate naivete naivety angstrom angstroms smorgasbord vis-a-vis papier mache aperitif "
    "attache communique detente elan emigre eclair gruyere latte maitre menage negligee outre passe porte roue "
    "smorrebrod tete a vicuna ole manana debut";

constexpr std::string_view kNegations =
    "no not nor never none neither cannot cant dont doesnt didnt isnt arent wasnt wont shouldnt without nothing nobody "
    "sin nunca jamas ni tampoco nada nadie ningun ninguna ninguno nao sem nem nenhum nenhuma jamais ninguem ne pas non "
    "sans rien aucun aucune nicht nie niemals ohne kein keine keinen keinem keiner nichts niemand mai senza nessuno "
    "nessuna nessun niet nooit geen zonder niets niemand mai sense cap nie nigdy bez nic nikt ne neni nikdy nesmi "
    "inte aldrig utan ingen inget inga degil yok asla hic hicbir khong chua dung tidak tak bukan jangan belum tanpa "
    "не нет ни никогда без нельзя ні ніколи немає δεν μην ποτε χωρις لا ليس لم لن دون بدون לא אין בלי אל नहीं न बिना";

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

}  // namespace
