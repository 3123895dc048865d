// The server as a browser, or somebody else, meets it.
#include "live/server.hpp"

#include <gmock/gmock.h>
#include <httplib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "live/guard.hpp"
#include "temporary_folder.hpp"

namespace armature {
namespace {

using Json = nlohmann::json;

const std::string pendulum = R"(armature: 1
name: a pendulum
gravity: [0, -9.81, 0]
parameters: {length: 1 m}   # of the rod
bodies:
  bob: {mass: 1 kg, center: [length, 0, 0], inertia: {zz: 0}}
joints:
  theta: {type: revolute, axis: z, between: [ground, bob]}
simulate: {end: 1 s, record: 0.1 s}
)";

class Live : public testing::Test {
 protected:
  Live() {
    std::filesystem::create_directory(temporary / "in");
    std::ofstream(temporary / "in/p.yaml") << pendulum;
    std::ofstream(temporary / "outside.yaml") << "secret";
    std::ofstream(temporary / "outside.csv") << "x,y\n0,0\n1,1\n";
    folder.emplace(temporary / "in");
    server = std::make_unique<LiveServer>(*folder, LiveOptions{"127.0.0.1", 0, "p.yaml"});
    listening = std::thread([this] { server->listen(); });
    client.emplace("127.0.0.1", server->port());
    client->set_read_timeout(20);
  }
  ~Live() override {
    server->stop();
    listening.join();
  }

  std::string own() const { return "127.0.0.1:" + std::to_string(server->port()); }
  httplib::Headers keyed() const { return {{"X-Armature-Key", server->key()}}; }
  int get(const std::string& path, const httplib::Headers& headers) { return client->Get(path, headers)->status; }
  httplib::Result post(const std::string& path, const std::string& body, const std::string& type = "application/json") {
    return client->Post(path, keyed(), body, type);
  }
  Json run(const std::string& text, Json edits = Json::array(), const std::string& name = "p.yaml") {
    return Json::parse(
        post("/api/run", Json{{"page", "1"}, {"name", name}, {"text", text}, {"edits", edits}}.dump())->body);
  }

  TemporaryFolder temporary;
  std::optional<ServedFolder> folder;
  std::unique_ptr<LiveServer> server;
  std::thread listening;
  std::optional<httplib::Client> client;
};

TEST_F(Live, ServesFilesOfItsFolderOnly) {
  EXPECT_EQ(Json::parse(client->Get("/api/file?name=p.yaml", keyed())->body)["text"], pendulum);
  for (const char* name : {"..%2Foutside.yaml", "../outside.yaml", "%2e%2e%2foutside.yaml", "%2Fetc%2Fpasswd",
                           "/etc/passwd", "..%252Foutside.yaml", "p.yaml%00.yaml", ""}) {
    const auto result = client->Get(std::string("/api/file?name=") + name, keyed());
    EXPECT_THAT(result->status, testing::AnyOf(403, 404)) << name;
    EXPECT_THAT(result->body, testing::Not(testing::HasSubstr("secret"))) << name;
  }
  for (const char* path :
       {"/../outside.yaml", "/%2e%2e/outside.yaml", "/p.yaml", "//etc/passwd", "/api", "/api/file/p.yaml"})
    EXPECT_EQ(get(path, keyed()), 404) << path;
}

TEST_F(Live, RefusesOtherNamesOriginsAndMissingKeys) {
  const std::string files = "/api/files";
  EXPECT_EQ(get(files, keyed()), 200);
  EXPECT_EQ(get(files, {}), 403);
  EXPECT_EQ(get(files, {{"X-Armature-Key", "0123"}}), 403);
  EXPECT_EQ(get("/", {}), 403);
  const auto with = [&](const char* name, const std::string& value) {
    httplib::Headers headers = keyed();
    headers.emplace(name, value);
    return get(files, headers);
  };
  EXPECT_EQ(with("Host", "evil.example:" + std::to_string(server->port())), 403);  // a name made to lead here
  EXPECT_EQ(with("Host", "127.0.0.1:1"), 403);
  EXPECT_EQ(with("Host", "localhost:" + std::to_string(server->port())), 200);
  EXPECT_EQ(with("Origin", "http://evil.example"), 403);
  EXPECT_EQ(with("Origin", "null"), 403);
  EXPECT_EQ(with("Sec-Fetch-Site", "cross-site"), 403);
  httplib::Headers own_page = keyed();
  own_page.emplace("Host", own()), own_page.emplace("Origin", "http://" + own());
  EXPECT_EQ(get(files, own_page), 200);
  const auto preflight = client->Options(files, {{"Origin", "http://evil.example"}});
  EXPECT_EQ(preflight->status, 403);
  EXPECT_FALSE(client->Get(files, keyed())->has_header("Access-Control-Allow-Origin"));
}

TEST_F(Live, SaysWhatIsWrongWithARequest) {
  EXPECT_EQ(post("/api/run", "{\"page\": 1")->status, 400);
  EXPECT_EQ(post("/api/run", "[]")->status, 400);
  EXPECT_EQ(post("/api/run", R"({"page": "1", "name": "p.yaml", "text": "a: 1", "edits": [1]})")->status, 400);
  EXPECT_EQ(post("/api/run", R"({"page": "1", "name": "p.yaml"})")->status, 400);
  EXPECT_EQ(post("/api/run", "{}", "text/plain")->status, 415);
  EXPECT_EQ(post("/api/run", R"({"page": "1", "name": "../outside.yaml", "text": "a: 1"})")->status, 403);
  EXPECT_EQ(post("/api/run", std::string(9 << 20, ' '))->status, 413);
  EXPECT_THAT(post("/api/run", "x")->body, testing::HasSubstr("not an object of JSON"));
}

TEST_F(Live, RunsATextAndItsEdits) {
  const Json plain = run(pendulum);
  EXPECT_EQ(plain["status"], "finished");
  EXPECT_EQ(plain["document"]["run"]["model"]["name"], "a pendulum");
  EXPECT_EQ(plain["document"]["series"]["recorded"], 11);
  EXPECT_EQ(plain["text"], pendulum);
  const Json turned = run(pendulum, {{{"path", {"parameters", "length"}}, {"value", "2 m"}}});
  EXPECT_THAT(turned["text"].get<std::string>(), testing::HasSubstr("{length: 2 m}   # of the rod"));
  EXPECT_EQ(turned["document"]["scene"]["bodies"][0]["center"][0], 2);
}

TEST_F(Live, ErrorsHaveTheirLine) {
  std::string text = pendulum;
  text.replace(text.find("revolute"), 8, "revolvte");
  const Json reply = run(text);
  EXPECT_EQ(reply["status"], "error");
  EXPECT_EQ(reply["errors"][0]["line"], 8);
  EXPECT_THAT(reply["sentence"].get<std::string>(), testing::StartsWith("p.yaml:8: joints.theta.type: "));
  EXPECT_THAT(reply["errors"][0]["message"].get<std::string>(), testing::HasSubstr("did you mean 'revolute'?"));
  EXPECT_GT(reply["controls"].size(), 0);
  EXPECT_FALSE(reply.contains("document"));
  EXPECT_EQ(run("a: [1")["status"], "error");
  EXPECT_EQ(run("")["status"], "error");
  EXPECT_EQ(run(pendulum, {{{"path", {"parameters", "length"}}, {"value", "1\n2"}}})["status"], "error");
}

// A text can name files, too.
TEST_F(Live, ModelsNameNoFilesOutside) {
  std::ofstream(temporary / "in/inside.csv") << "x,y\n0,0\n1,1\n";
  const auto table = [&](const std::string& file) { return pendulum + "tables: {f: {file: " + file + "}}\n"; };
  EXPECT_EQ(run(table("inside.csv"))["status"], "finished");
  for (const std::string& file : std::vector<std::string>{"../outside.csv", (temporary / "outside.csv").string()}) {
    const Json reply = run(table(file));
    EXPECT_EQ(reply["status"], "error");
    EXPECT_EQ(reply["errors"][0]["line"], 10);
    EXPECT_THAT(reply["sentence"].get<std::string>(), testing::HasSubstr("outside the folder that is served"));
  }
}

// 1e6 s of a pendulum: minutes of work.
std::string endless() {
  std::string text = pendulum;
  return text.replace(text.find("end: 1 s"), 8, "end: 1000000 s, rtol: 1e-12");
}

TEST_F(Live, ANewerRunEndsTheOneBefore) {
  Json first;
  std::thread slow([&] {
    httplib::Client other("127.0.0.1", server->port());
    other.set_read_timeout(20);
    const Json body{{"page", "1"}, {"name", "p.yaml"}, {"text", endless()}};
    first = Json::parse(other.Post("/api/run", keyed(), body.dump(), "application/json")->body);
  });
  const auto running = [&] {
    return Json::parse(client->Get("/api/state?page=1&name=p.yaml", keyed())->body)["running"] == true;
  };
  while (!running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(run(pendulum)["status"], "finished");
  slow.join();
  EXPECT_EQ(first["status"], "superseded");
}

TEST_F(Live, AStoppedRunKeepsWhatThereIs) {
  Json reply;
  std::thread slow([&] {
    httplib::Client other("127.0.0.1", server->port());
    other.set_read_timeout(20);
    const Json body{{"page", "2"}, {"name", "p.yaml"}, {"text", endless()}};
    reply = Json::parse(other.Post("/api/run", keyed(), body.dump(), "application/json")->body);
  });
  const auto t = [&] {
    return Json::parse(client->Get("/api/state?page=2&name=p.yaml", keyed())->body)["t"].get<double>();
  };
  while (t() <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(post("/api/stop", R"({"page": "2"})")->status, 200);
  slow.join();
  EXPECT_EQ(reply["status"], "stopped");
  EXPECT_GT(reply["document"]["series"]["recorded"], 1);
}

TEST_F(Live, SavesAndSaysWhenTheFileHasChanged) {
  const std::string stamp = Json::parse(client->Get("/api/file?name=p.yaml", keyed())->body)["stamp"];
  const auto save = [&](const std::string& name, const std::string& text, const std::string& known) {
    return post("/api/save", Json{{"name", name}, {"text", text}, {"stamp", known}}.dump())->status;
  };
  EXPECT_EQ(save("p.yaml", "other", stamp), 200);
  EXPECT_EQ(folder->read("p.yaml").text, "other");
  EXPECT_EQ(save("p.yaml", "mine", stamp), 409);
  EXPECT_EQ(save("../outside.yaml", "mine", ""), 403);
  EXPECT_EQ(save("new.yaml", "mine", ""), 200);
  EXPECT_THAT(folder->models(), testing::ElementsAre("new.yaml", "p.yaml"));
}

TEST_F(Live, APortThatIsTakenIsNotTakenTwice) {
  EXPECT_THROW(LiveServer(*folder, LiveOptions{"127.0.0.1", server->port(), "p.yaml"}), std::runtime_error);
}

TEST(Guard, ListeningEverywhereAnswersNumbersButNoNames) {
  const Guard guard("0.0.0.0", 8700, "key");
  const auto refuses = [&](const std::string& host) {
    return guard.refuses([&](const char* name) { return std::string(name) == "Host" ? host : ""; }).has_value();
  };
  EXPECT_FALSE(refuses("192.168.1.7:8700"));
  EXPECT_FALSE(refuses("[fe80::1]:8700"));
  EXPECT_FALSE(refuses("localhost:8700"));
  EXPECT_TRUE(refuses("evil.example:8700"));
  EXPECT_TRUE(refuses("192.168.1.7:8701"));
  EXPECT_TRUE(refuses(""));
  EXPECT_EQ(random_key().size(), 32);
  EXPECT_NE(random_key(), random_key());
}

}  // namespace
}  // namespace armature
